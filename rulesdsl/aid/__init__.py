"""The player aid: two pages to lie on the table, derived from the rules that are played.

document = aid_document(aid_of(book))
"""
