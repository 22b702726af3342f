"""e"""
class CarcError(Exception): pass
class TileError(CarcError): pass
class BadNotation(CarcError): pass
class IllegalAction(CarcError): pass
class BadRules(CarcError): pass
class BadRecord(CarcError): pass
class BadBot(CarcError): pass
