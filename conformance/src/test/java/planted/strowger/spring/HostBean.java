package planted.strowger.spring;

import planted.strowger.host.Wrapper;

/** A bean of a starter that knows a host. */
public record HostBean(Wrapper wrapper) {}
