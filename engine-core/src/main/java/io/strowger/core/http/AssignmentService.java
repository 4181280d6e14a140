package io.strowger.core.http;

import io.strowger.core.administration.GuardrailAssignments;
import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Timestamps;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.KeyId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /guardrails/{id}/assignments/{keys|members}}: assigns guardrails to keys and members.
 * Resources fact sheet, section 4. Safe on any thread.
 */
final class AssignmentService {
  private static final int MAX_ASSIGNEES = 100;
  private static final Rule<List<String>> ASSIGNEES =
      Rules.list(Rules.text(1, 200), 1, MAX_ASSIGNEES);

  private final ServiceContext context;
  private final GuardrailAssignments keyAssignments;
  private final GuardrailAssignments memberAssignments;

  AssignmentService(ServiceContext context) {
    this.context = context;
    this.keyAssignments = context.account().keyAssignments();
    this.memberAssignments = context.account().memberAssignments();
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.LIST_KEY_ASSIGNMENTS,
            (caller, request, out) -> list(keyAssignments, request, out),
        Operation.ASSIGN_KEYS,
            (caller, request, out) -> assign(keyAssignments, caller, request, out),
        Operation.UNASSIGN_KEYS,
            (caller, request, out) -> remove(keyAssignments, caller, request, out),
        Operation.LIST_MEMBER_ASSIGNMENTS,
            (caller, request, out) -> list(memberAssignments, request, out),
        Operation.ASSIGN_MEMBERS,
            (caller, request, out) -> assign(memberAssignments, caller, request, out),
        Operation.UNASSIGN_MEMBERS,
            (caller, request, out) -> remove(memberAssignments, caller, request, out));
  }

  private WireResponse list(
      GuardrailAssignments assignments, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    PageRequest pageRequest = Queries.page(request.query(), problems);
    problems.throwIfAny();
    Document guardrail = requireGuardrail(request);
    DocumentStore.Page page =
        assignments.list(guardrail.id(), pageRequest.offset(), pageRequest.limit());
    return responseFactory.list(
        page.documents().stream()
            .map(document -> json(assignments == keyAssignments, document))
            .toList(),
        page.total());
  }

  private Json.Obj json(boolean isKey, Document assignment) {
    Json.Obj.Builder out = Json.object();
    if (isKey) {
      ApiKey apiKey = key(assignment.id());
      out.put("key_hash", apiKey == null ? assignment.id() : apiKey.hash().hex())
          .putOrNull("key_name", apiKey == null ? null : apiKey.setting().name())
          .putOrNull("key_label", apiKey == null ? null : apiKey.origin().label());
    } else {
      out.put("user_id", assignment.id());
    }
    // the group of an assignment is the id of its guardrail
    return out.put("guardrail_id", assignment.group())
        .putOrNull("assigned_by", assignment.body().text("assigned_by"))
        .put("created_at", Timestamps.format(assignment.createdAt()))
        .build();
  }

  private WireResponse assign(
      GuardrailAssignments assignments,
      Caller caller,
      WireRequest request,
      ResponseFactory responseFactory) {
    List<String> listed = readAssignees(assignments, request);
    Document guardrail = requireGuardrail(request);
    Set<String> identities =
        assignments == keyAssignments
            ? keysOfWorkspace(listed, guardrail.group()) // the group is the id of its workspace
            : new LinkedHashSet<>(listed);
    int assigned =
        assignments.assign(guardrail.id(), identities, caller.toAuditActor(request.client()));
    return countResponse("assigned_count", assigned, responseFactory);
  }

  /** Returns the ids of keys; refuses a hash that is not that of a key of the workspace. */
  private Set<String> keysOfWorkspace(List<String> hashes, String workspaceId) {
    var problems = context.newProblems();
    var ids = new LinkedHashSet<String>();
    for (int i = 0; i < hashes.size(); i++) {
      ApiKey key = key(hashes.get(i));
      if (key == null || !key.origin().workspaceId().equals(workspaceId)) {
        problems.add(
            JsonPointer.ROOT.child(keyAssignments.requestMemberName()).child(i),
            "must be the hash of a key of the guardrail's workspace",
            Json.of(hashes.get(i)));
      } else {
        ids.add(key.id().hex());
      }
    }
    problems.throwIfAny();
    return ids;
  }

  /** Returns the key with this hash; null when there is none. */
  private @Nullable ApiKey key(String hash) {
    KeyId id = PathParameters.keyHash(hash);
    return id == null ? null : context.account().keys().find(id);
  }

  private WireResponse remove(
      GuardrailAssignments assignments,
      Caller caller,
      WireRequest request,
      ResponseFactory responseFactory) {
    List<String> listed = readAssignees(assignments, request);
    int removed =
        assignments.remove(
            requireGuardrail(request).id(),
            identities(assignments, listed),
            caller.toAuditActor(request.client()));
    return countResponse("unassigned_count", removed, responseFactory);
  }

  /** Returns the ids that assignments store; the hash of an unknown key is returned unchanged. */
  private Set<String> identities(GuardrailAssignments assignments, List<String> listed) {
    var identities = new LinkedHashSet<String>();
    for (String name : listed) {
      ApiKey key = assignments == keyAssignments ? key(name) : null;
      identities.add(key == null ? name : key.id().hex());
    }
    return identities;
  }

  private static WireResponse countResponse(
      String name, int number, ResponseFactory responseFactory) {
    return responseFactory.ok(Json.object().put(name, number).build().toBytes());
  }

  /**
   * Reads the required list of key hashes or user ids in the body, with duplicates. The body is
   * validated before the guardrail is looked up.
   */
  private List<String> readAssignees(GuardrailAssignments assignments, WireRequest request) {
    var problems = context.newProblems();
    var decoding = new DecodingContext(problems);
    String member = assignments.requestMemberName();
    Json value = context.bodyReader().read(request).get(member);
    List<String> assignees = null;
    if (value == null) {
      decoding.rejectMissing(member);
    } else {
      decoding.enter(member);
      assignees = ASSIGNEES.read(value, decoding);
      decoding.leave();
    }
    return problems.requireValid(assignees);
  }

  /** Returns the guardrail that the path names. Throws 404 when there is none. */
  private Document requireGuardrail(WireRequest request) {
    String id = PathParameters.uuid(PathSegment.of(request, 1));
    Document guardrail = id == null ? null : context.account().guardrails().find(id);
    if (guardrail == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return guardrail;
  }
}
