package planted.strowger.stores;

import planted.strowger.host.Wrapper;

/** A store that knows its host. */
public record Hoard(Wrapper wrapper) {}
