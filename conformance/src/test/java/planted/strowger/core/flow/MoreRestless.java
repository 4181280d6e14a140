package planted.strowger.core.flow;

/** Extends a class that could have been a field. */
final class MoreRestless extends Restless {}
