package planted.strowger.tck;

import planted.strowger.host.Wrapper;

/** A test kit that knows a host. */
record Curious(Wrapper wrapper) {}
