package planted.strowger.core.pipeline;

/** Extends a class that could have been a field. */
final class MoreRestless extends Restless {}
