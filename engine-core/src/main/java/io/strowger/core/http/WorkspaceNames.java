package io.strowger.core.http;

import io.strowger.core.administration.Workspaces;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.PathParameters;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code workspace_id}: of a workspace there is, or a problem. */
record WorkspaceNames(Workspaces workspaces) {
  private static final String ALLOWED = "must be the id of a workspace";

  /** Of a body that makes something; the default workspace when it says none. */
  String inBody(Json.Obj body, Problems problems) {
    String given = body.text("workspace_id");
    String id = given == null ? DefaultWorkspace.ID : known(given);
    if (given != null && id == null) {
      problems.add(JsonPointer.ROOT.child("workspace_id"), ALLOWED, Problems.shown(Json.of(given)));
    }
    return id == null ? "" : id;
  }

  /** Of a query; null for all workspaces. */
  @Nullable String inQuery(@Nullable String given, Problems problems) {
    String id = given == null ? null : known(given);
    if (given != null && id == null) {
      problems.add(
          JsonPointer.ROOT,
          "the query parameter workspace_id " + ALLOWED,
          Problems.shown(Json.of(given)));
    }
    return id;
  }

  /**
   * Of a query about something that belongs to one workspace: that of the caller, whose key has to
   * be a management key to name another. The default workspace when there is a problem.
   */
  String of(Caller caller, @Nullable String given, Problems problems) {
    if (given == null) {
      return caller.workspace();
    }
    String id = known(given);
    if (id == null || !caller.management() && !id.equals(caller.workspace())) {
      problems.add(
          JsonPointer.ROOT,
          "the query parameter workspace_id "
              + (caller.management() ? ALLOWED : "must be the workspace of the key"),
          Problems.shown(Json.of(given)));
      return DefaultWorkspace.ID;
    }
    return id;
  }

  /** Whatever is no UUID is of no workspace, and nothing to ask a database for. */
  private @Nullable String known(String given) {
    UUID id = PathParameters.uuid(given);
    return id == null ? null : workspaces.known(id.toString());
  }
}
