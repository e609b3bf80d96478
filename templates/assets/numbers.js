// Numbers and what is counted, as the language of the page writes them.
import { fill, page } from "./memory.js";

const digits = new Intl.NumberFormat(page.lang || "en");
const rules = new Intl.PluralRules(page.lang || "en");

export const number = (count) => digits.format(count);
// The form of a text that goes with a number, which is {num} in it.
export const counted = (forms, count) => fill(forms[rules.select(count)] ?? forms.other, { num: number(count) });
