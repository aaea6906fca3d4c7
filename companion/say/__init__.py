"""Keys and facts become sentences, to read and to hear, in English and French.

Over `core` and the games' catalogues; how a sentence is shown or spoken is decided elsewhere.
"""
