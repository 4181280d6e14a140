package planted.strowger.host;

import io.strowger.core.plan.Planner;
import javax.sql.DataSource;

/** What no module below may know, and what itself knows too much: a planner and a database. */
public record Wrapper(String name, Planner planner, DataSource database) {}
