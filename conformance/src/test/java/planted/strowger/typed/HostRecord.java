package planted.strowger.typed;

import planted.strowger.host.Wrapper;

/** A record of a module that knows its host. */
public record HostRecord(Wrapper wrapper) {}
