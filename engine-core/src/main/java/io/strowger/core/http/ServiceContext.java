package io.strowger.core.http;

import io.strowger.core.administration.AccountState;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.PathParameters;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import org.jspecify.annotations.Nullable;

/**
 * What the services of resources and reports share.
 *
 * @param problemLimit the most problems that one answer reports; at least 1
 */
record ServiceContext(ResourceServices resources, BodyReader bodyReader, int problemLimit) {
  private static final String WORKSPACE_REQUIREMENT = "must be the id of a workspace";

  Problems newProblems() {
    return new Problems(problemLimit);
  }

  AccountState account() {
    return resources.account();
  }

  /**
   * Returns the current snapshot.
   *
   * @throws io.strowger.spi.error.GatewayException 503 once the gateway is closed
   */
  Snapshot snapshot() {
    Snapshot snapshot = resources.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
    return snapshot;
  }

  /**
   * Returns the id of the workspace that a body names, or of the default workspace when it names
   * none; the empty string when a problem was noted.
   */
  String workspaceInBody(Json.Obj body, Problems problems) {
    String workspaceId = body.text("workspace_id");
    String id = workspaceId == null ? DefaultWorkspace.ID : existingId(workspaceId);
    if (workspaceId != null && id == null) {
      problems.add(
          JsonPointer.ROOT.child("workspace_id"), WORKSPACE_REQUIREMENT, Json.of(workspaceId));
    }
    return id == null ? "" : id;
  }

  /**
   * Returns the id of the workspace that a query names; null when it names none, which means all
   * workspaces, and when a problem was noted.
   */
  @Nullable String workspaceInQuery(@Nullable String workspaceId, Problems problems) {
    String id = workspaceId == null ? null : existingId(workspaceId);
    if (workspaceId != null && id == null) {
      problems.add(
          JsonPointer.ROOT,
          "the query parameter workspace_id " + WORKSPACE_REQUIREMENT,
          Json.of(workspaceId));
    }
    return id;
  }

  /**
   * Returns the id of the one workspace that a query is about: the one it names, or else the
   * caller's. Only a management key may name another workspace than its own. Returns the default
   * workspace when a problem was noted.
   */
  String workspaceOf(Caller caller, @Nullable String workspaceId, Problems problems) {
    if (workspaceId == null) {
      return caller.workspace();
    }
    String id = existingId(workspaceId);
    if (id == null || !caller.isManagement() && !id.equals(caller.workspace())) {
      problems.add(
          JsonPointer.ROOT,
          "the query parameter workspace_id "
              + (caller.isManagement()
                  ? WORKSPACE_REQUIREMENT
                  : "must be the workspace of the key"),
          Json.of(workspaceId));
      return DefaultWorkspace.ID;
    }
    return id;
  }

  /** Returns the id of a workspace; null when there is none. Only a valid UUID is looked up. */
  private @Nullable String existingId(String workspaceId) {
    String id = PathParameters.uuid(workspaceId);
    return id == null ? null : account().workspaces().existingId(id);
  }
}
