"""Reading and checking TOML and JSON written by people or other programs.

Every mistake is reported. Board files, editions, settings and protocol lines are read with this
package. It is outside of `hardware` and `companion` because both use it. It imports the standard
library only.
"""
