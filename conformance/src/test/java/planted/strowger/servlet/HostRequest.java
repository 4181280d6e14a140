package planted.strowger.servlet;

import planted.strowger.host.Wrapper;

/** A request of a servlet that knows its host. */
public record HostRequest(Wrapper wrapper) {}
