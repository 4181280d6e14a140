package planted.strowger.springai;

import planted.strowger.host.Wrapper;

/** A record of a module that knows its host. */
public record HostModel(Wrapper wrapper) {}
