"""Who a show is, whatever its address becomes: the podcast:guid rule.

https://podcasting2.org/podcast-namespace/tags/guid
"""

from __future__ import annotations

import uuid

from podsite import urls
from podsite.model import Show

PODCAST_NAMESPACE = uuid.UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")


def show_guid(show: Show) -> str:
    """The show's identity: as written, else by the podcast:guid rule from the feed's address."""
    if show.guid:
        return show.guid
    address = urls.absolute(urls.base(show.url), show.feed.path)
    return str(uuid.uuid5(PODCAST_NAMESPACE, address.split("://", 1)[1].rstrip("/")))
