package planted.strowger.stores;

import planted.strowger.host.Wrapper;

/** Breaks a rule on purpose: a class of stores that depends on host. */
public record StoreThatUsesHost(Wrapper wrapper) {}
