"""The language service: answers for editors, as functions over a `Desk`. Nothing here knows a protocol."""
