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

/** Resolves {@code workspace_id}, and notes a problem when there is no such workspace. */
record WorkspaceIdResolver(Workspaces workspaces) {
  private static final String ALLOWED = "must be the id of a workspace";

  /**
   * Returns the id of the workspace that a body names, or of the default workspace when it names
   * none; the empty string when a problem was noted.
   */
  String inBody(Json.Obj body, Problems problems) {
    String given = body.text("workspace_id");
    String id = given == null ? DefaultWorkspace.ID : known(given);
    if (given != null && id == null) {
      problems.add(JsonPointer.ROOT.child("workspace_id"), ALLOWED, Problems.shown(Json.of(given)));
    }
    return id == null ? "" : id;
  }

  /**
   * Returns the id of the workspace that a query names; null when it names none, which means all
   * workspaces, and when a problem was noted.
   */
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
   * Returns the id of the one workspace that a query is about: the one it names, or else the
   * caller's. Only a management key may name another workspace than its own. Returns the default
   * workspace when a problem was noted.
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

  /** Returns the id of a workspace; null when there is none. Only a valid UUID is looked up. */
  private @Nullable String known(String given) {
    UUID id = PathParameters.uuid(given);
    return id == null ? null : workspaces.existingId(id.toString());
  }
}
