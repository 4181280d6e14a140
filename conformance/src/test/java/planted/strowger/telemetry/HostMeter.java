package planted.strowger.telemetry;

import planted.strowger.host.Wrapper;

/** Telemetry that knows its host. */
public record HostMeter(Wrapper wrapper) {}
