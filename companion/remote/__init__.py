"""Everybody who is connected to the running box: programs, phones and computer players.

`RemoteClients` is what the box knows of them. Their lines are those of docs/protocol.md.
"""
