"""Paper: blocks of the handbook as Typst, and Typst as PDF.

    pdf = typeset(reading_edition(book))

The program that sets pages is the wheel `typst` (extra `pdf`), which is asked for only when a PDF is made.
"""
