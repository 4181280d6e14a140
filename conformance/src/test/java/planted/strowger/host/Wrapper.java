package planted.strowger.host;

import io.strowger.core.plan.Planner;

/** What no module below may know, and what itself knows too much. */
public record Wrapper(String name, Planner planner) {}
