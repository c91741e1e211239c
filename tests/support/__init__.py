"""What tests have in common: doubles of servers, folders and files laid out as others lay them out, a tiny model.

Test modules import it as `support.NAME`; nothing in here is collected. Each module's first line says what it offers.
"""
