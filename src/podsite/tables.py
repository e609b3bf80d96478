"""The closed lists of the podcast world: Apple categories, taxonomy roles, languages, licences, listening services.

Sources: Apple's category list in force since August 2019; Podcastindex-org/podcast-namespace `taxonomy.json`,
`licenses.json` and `serviceslugs.txt`; ISO 639.
"""

from __future__ import annotations

CATEGORIES: dict[str, tuple[str, ...]] = {
    "Arts": ("Books", "Design", "Fashion & Beauty", "Food", "Performing Arts", "Visual Arts"),
    "Business": ("Careers", "Entrepreneurship", "Investing", "Management", "Marketing", "Non-Profit"),
    "Comedy": ("Comedy Interviews", "Improv", "Stand-Up"),
    "Education": ("Courses", "How To", "Language Learning", "Self-Improvement"),
    "Fiction": ("Comedy Fiction", "Drama", "Science Fiction"),
    "Government": (),
    "History": (),
    "Health & Fitness": (
        "Alternative Health",
        "Fitness",
        "Medicine",
        "Mental Health",
        "Nutrition",
        "Sexuality",
    ),
    "Kids & Family": ("Education for Kids", "Parenting", "Pets & Animals", "Stories for Kids"),
    "Leisure": (
        "Animation & Manga",
        "Automotive",
        "Aviation",
        "Crafts",
        "Games",
        "Hobbies",
        "Home & Garden",
        "Video Games",
    ),
    "Music": ("Music Commentary", "Music History", "Music Interviews"),
    "News": (
        "Business News",
        "Daily News",
        "Entertainment News",
        "News Commentary",
        "Politics",
        "Sports News",
        "Tech News",
    ),
    "Religion & Spirituality": (
        "Buddhism",
        "Christianity",
        "Hinduism",
        "Islam",
        "Judaism",
        "Religion",
        "Spirituality",
    ),
    "Science": (
        "Astronomy",
        "Chemistry",
        "Earth Sciences",
        "Life Sciences",
        "Mathematics",
        "Natural Sciences",
        "Nature",
        "Physics",
        "Social Sciences",
    ),
    "Society & Culture": (
        "Documentary",
        "Personal Journals",
        "Philosophy",
        "Places & Travel",
        "Relationships",
    ),
    "Sports": (
        "Baseball",
        "Basketball",
        "Cricket",
        "Fantasy Sports",
        "Football",
        "Golf",
        "Hockey",
        "Rugby",
        "Running",
        "Soccer",
        "Swimming",
        "Tennis",
        "Volleyball",
        "Wilderness",
        "Wrestling",
    ),
    "Technology": (),
    "True Crime": (),
    "TV & Film": ("After Shows", "Film History", "Film Interviews", "Film Reviews", "TV Reviews"),
}

RETIRED_CATEGORIES: dict[str, str] = {
    "Literature": "Arts > Books",
    "Management & Marketing": "Business > Management",
    "Shopping": "Business",
    "Educational Technology": "Education",
    "Education Technology": "Education",
    "Higher Education": "Education",
    "K-12": "Education",
    "Language Courses": "Education > Language Learning",
    "Training": "Education > Courses",
    "Games & Hobbies": "Leisure",
    "Other Games": "Leisure > Games",
    "Government & Organizations": "Government",
    "Local": "Government",
    "National": "Government",
    "Regional": "Government",
    "Health": "Health & Fitness",
    "Fitness & Nutrition": "Health & Fitness > Fitness",
    "Self-Help": "Education > Self-Improvement",
    "News & Politics": "News",
    "Other": "Religion & Spirituality",
    "Science & Medicine": "Science",
    "Sports & Recreation": "Sports",
    "Amateur": "Sports",
    "College & High School": "Sports",
    "Outdoor": "Sports > Wilderness",
    "Professional": "Sports",
    "Gadgets": "Technology",
    "Podcasting": "Technology",
    "Software How-To": "Technology",
}

ROLES: dict[str, tuple[str, ...]] = {
    "Creative Direction": (
        "Director",
        "Assistant Director",
        "Executive Producer",
        "Senior Producer",
        "Producer",
        "Associate Producer",
        "Development Producer",
        "Creative Director",
    ),
    "Cast": ("Host", "Co-Host", "Guest Host", "Guest", "Voice Actor", "Narrator", "Announcer", "Reporter"),
    "Writing": (
        "Author",
        "Editorial Director",
        "Co-Writer",
        "Writer",
        "Songwriter",
        "Guest Writer",
        "Story Editor",
        "Managing Editor",
        "Script Editor",
        "Script Coordinator",
        "Researcher",
        "Editor",
        "Fact Checker",
        "Translator",
        "Transcriber",
        "Logger",
    ),
    "Audio Production": (
        "Studio Coordinator",
        "Technical Director",
        "Technical Manager",
        "Audio Engineer",
        "Remote Recording Engineer",
        "Post Production Engineer",
    ),
    "Audio Post-Production": (
        "Audio Editor",
        "Sound Designer",
        "Foley Artist",
        "Composer",
        "Theme Music",
        "Music Production",
        "Music Contributor",
    ),
    "Administration": (
        "Production Coordinator",
        "Booking Coordinator",
        "Production Assistant",
        "Content Manager",
        "Marketing Manager",
        "Sales Representative",
        "Sales Manager",
    ),
    "Visuals": ("Graphic Designer", "Cover Art Designer"),
    "Community": ("Social Media Manager",),
    "Misc.": ("Consultant", "Intern"),
    "Video Production": ("Camera Operator", "Lighting Designer", "Camera Grip", "Assistant Camera"),
    "Video Post-Production": ("Editor", "Assistant Editor"),
}

MEDIUMS = ("podcast", "music", "video", "film", "audiobook", "newsletter", "blog", "publisher", "course")

_COUNTRIES = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
#: ISO 3166-1 alpha-2.
COUNTRIES = frozenset(_COUNTRIES.split())

#: Slugs of services that podcast:block may name, from `serviceslugs.txt`; newer ones may be missing.
SERVICES = (
    "acast", "amazon", "anchor", "apple", "audioboom", "backtracks", "bitcoin", "blubrry", "buzzsprout", "captivate",
    "castos", "fireside", "google", "hypercatcher", "itunes", "libsyn", "mastodon", "megafono", "megaphone",
    "omnystudio", "overcast", "paypal", "pinecast", "podbean", "podcastaddict", "podcastindex", "podcasts.com",
    "podchaser", "podfriend", "podiant", "podigee", "podnews", "podomatic", "podserve", "podverse", "redcircle",
    "relayfm", "resonate", "rss.com", "shoutengine", "simplecast", "slack", "soundcloud", "spotify", "spreaker",
    "transistor", "twitter", "whooshkaa", "zencast",
)  # fmt: skip

LICENSES = ("ARR", "CC-BY-4.0", "CC-BY-NC-4.0", "CC-BY-NC-ND-4.0", "POD-V4V-1.0")

# ISO 639-1: every two-letter code, each with the three-letter codes people write in its place.
_CODES = """
aa=aar ab=abk ae=ave af=afr ak=aka am=amh an=arg ar=ara as=asm av=ava ay=aym az=aze ba=bak be=bel bg=bul bh=bih bi=bis
bm=bam bn=ben bo=bod,tib br=bre bs=bos ca=cat ce=che ch=cha co=cos cr=cre cs=ces,cze cu=chu cv=chv cy=cym,wel da=dan
de=deu,ger dv=div dz=dzo ee=ewe el=ell,gre en=eng eo=epo es=spa et=est eu=eus,baq fa=fas,per ff=ful fi=fin fj=fij
fo=fao fr=fra,fre fy=fry ga=gle gd=gla gl=glg gn=grn gu=guj gv=glv ha=hau he=heb hi=hin ho=hmo hr=hrv ht=hat hu=hun
hy=hye,arm hz=her ia=ina id=ind ie=ile ig=ibo ii=iii ik=ipk io=ido is=isl,ice it=ita iu=iku ja=jpn jv=jav ka=kat,geo
kg=kon ki=kik kj=kua kk=kaz kl=kal km=khm kn=kan ko=kor kr=kau ks=kas ku=kur kv=kom kw=cor ky=kir la=lat lb=ltz lg=lug
li=lim ln=lin lo=lao lt=lit lu=lub lv=lav mg=mlg mh=mah mi=mri,mao mk=mkd,mac ml=mal mn=mon mr=mar ms=msa,may mt=mlt
my=mya,bur na=nau nb=nob nd=nde ne=nep ng=ndo nl=nld,dut nn=nno no=nor nr=nbl nv=nav ny=nya oc=oci oj=oji om=orm or=ori
os=oss pa=pan pi=pli pl=pol ps=pus pt=por qu=que rm=roh rn=run ro=ron,rum ru=rus rw=kin sa=san sc=srd sd=snd se=sme
sg=sag si=sin sk=slk,slo sl=slv sm=smo sn=sna so=som sq=sqi,alb sr=srp ss=ssw st=sot su=sun sv=swe sw=swa ta=tam te=tel
tg=tgk th=tha ti=tir tk=tuk tl=tgl tn=tsn to=ton tr=tur ts=tso tt=tat tw=twi ty=tah ug=uig uk=ukr ur=urd uz=uzb ve=ven
vi=vie vo=vol wa=wln wo=wol xh=xho yi=yid yo=yor za=zha zh=zho,chi zu=zul
"""
LANGUAGES: dict[str, tuple[str, ...]] = {
    pair[:2]: tuple(pair[3:].split(",")) for line in _CODES.split("\n") for pair in line.split()
}

LANGUAGE_NAMES: dict[str, str] = {
    "arabic": "ar",
    "chinese": "zh",
    "deutsch": "de",
    "dutch": "nl",
    "english": "en",
    "español": "es",
    "français": "fr",
    "french": "fr",
    "german": "de",
    "hebrew": "he",
    "italian": "it",
    "japanese": "ja",
    "norwegian": "no",
    "persian": "fa",
    "portuguese": "pt",
    "russian": "ru",
    "spanish": "es",
    "swedish": "sv",
}

#: Scripts written from right to left, by language; the page's `dir`.
RIGHT_TO_LEFT = frozenset({"ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"})

#: Where people listen: the key in `listen`, its name, and the address an id stands for ({} is the id).
LISTEN: dict[str, tuple[str, str]] = {
    "apple": ("Apple Podcasts", "https://podcasts.apple.com/podcast/id{}"),
    "spotify": ("Spotify", "https://open.spotify.com/show/{}"),
    "overcast": ("Overcast", "https://overcast.fm/itunes{}"),
    "pocketcasts": ("Pocket Casts", "https://pca.st/{}"),
    "youtube": ("YouTube Music", "https://music.youtube.com/playlist?list={}"),
    "amazon": ("Amazon Music", "https://music.amazon.com/podcasts/{}"),
    "antennapod": ("AntennaPod", "https://antennapod.org/deeplink/subscribe?url={}"),
    "castbox": ("Castbox", "https://castbox.fm/channel/id{}"),
    "castro": ("Castro", "https://castro.fm/podcast/{}"),
    "deezer": ("Deezer", "https://www.deezer.com/show/{}"),
    "fountain": ("Fountain", "https://fountain.fm/show/{}"),
    "iheart": ("iHeartRadio", "https://www.iheart.com/podcast/{}"),
    "podcastaddict": ("Podcast Addict", "https://podcastaddict.com/podcast/{}"),
    "podcastindex": ("Podcast Index", "https://podcastindex.org/podcast/{}"),
    "podchaser": ("Podchaser", "https://www.podchaser.com/podcasts/{}"),
    "rss": ("RSS", "{}"),
    "truefans": ("TrueFans", "https://truefans.fm/{}"),
}

#: Apps that are gone: a button to them would be a dead end.
RETIRED_APPS = {"google": "Google Podcasts closed in 2024", "stitcher": "Stitcher closed in 2023"}

#: Zones by the abbreviations people write for them; the database has no names for summer time.
ZONES = {
    "BST": "Europe/London",
    "CEST": "Europe/Berlin",
    "EEST": "Europe/Athens",
    "EST": "America/New_York",
    "EDT": "America/New_York",
    "CST": "America/Chicago",
    "CDT": "America/Chicago",
    "MDT": "America/Denver",
    "PST": "America/Los_Angeles",
    "PDT": "America/Los_Angeles",
    "JST": "Asia/Tokyo",
    "AEST": "Australia/Sydney",
    "AEDT": "Australia/Sydney",
}

#: Names that keys have in feeds and in other generators, with ours; tried before names that merely look alike.
OTHER_NAMES = {
    "authors": ("people", "author"),
    "bytes": ("length",),
    "categories": ("topics",),
    "category": ("categories", "topics"),
    "chapter": ("chapters",),
    "content": ("notes", "text"),
    "cover": ("artwork", "image"),
    "date": ("published",),
    "description": ("summary", "bio", "note", "text"),
    "enclosure": ("audio",),
    "episode": ("number",),
    "episode_number": ("number",),
    "guests": ("people",),
    "hosts": ("people",),
    "href": ("url",),
    "image": ("artwork",),
    "img": ("image", "artwork"),
    "itunes_type": ("order",),
    "keywords": ("topics",),
    "label": ("title", "text"),
    "link": ("url",),
    "links": ("further_reading",),
    "media": ("audio",),
    "mime": ("type",),
    "name": ("title",),
    "pubdate": ("published",),
    "publish_date": ("published",),
    "published_at": ("published",),
    "reading": ("further_reading",),
    "references": ("further_reading",),
    "show_notes": ("notes",),
    "shownotes": ("notes",),
    "size": ("length",),
    "start_time": ("start",),
    "starttime": ("start",),
    "subtitle": ("summary",),
    "tags": ("topics",),
    "time": ("start",),
    "type": ("kind", "order"),
    "website": ("url",),
}
