package io.strowger.core.http;

import io.strowger.core.administration.GuardrailAssignments;
import io.strowger.core.administration.Guardrails;
import io.strowger.core.administration.Keys;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Timestamps;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.KeyId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code /guardrails/{id}/assignments/{keys|members}}: assigns guardrails to keys and members.
 * Resources fact sheet, section 4. Safe on any thread.
 */
final class AssignmentService {
  private static final int MAX_ASSIGNEES = 100;
  private static final Rule<List<String>> ASSIGNEES =
      Rules.list(Rules.text(1, 200), 1, MAX_ASSIGNEES);

  private final BodyReader bodyReader;
  private final Guardrails guardrails;
  private final Keys keys;
  private final GuardrailAssignments keyAssignments;
  private final GuardrailAssignments memberAssignments;
  private final int problemLimit;

  AssignmentService(BodyReader bodyReader, ResourceServices resources, int problemLimit) {
    this.bodyReader = bodyReader;
    this.guardrails = resources.account().guardrails();
    this.keys = resources.account().keys();
    this.keyAssignments = resources.account().keyAssignments();
    this.memberAssignments = resources.account().memberAssignments();
    this.problemLimit = problemLimit;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.LIST_KEY_ASSIGNMENTS,
            (caller, request, out) -> list(keyAssignments, request, out),
        Operation.ASSIGN_KEYS, (caller, request, out) -> assignKeys(caller, request, out),
        Operation.UNASSIGN_KEYS,
            (caller, request, out) -> remove(keyAssignments, "key_hashes", caller, request, out),
        Operation.LIST_MEMBER_ASSIGNMENTS,
            (caller, request, out) -> list(memberAssignments, request, out),
        Operation.ASSIGN_MEMBERS, (caller, request, out) -> assignMembers(caller, request, out),
        Operation.UNASSIGN_MEMBERS,
            (caller, request, out) ->
                remove(memberAssignments, "member_user_ids", caller, request, out));
  }

  private WireResponse list(
      GuardrailAssignments assignments, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    PageRequest pageRequest = Queries.page(request.query(), problems);
    problems.throwIfAny();
    Document guardrail = find(request);
    if (guardrail == null) {
      return responseFactory.dataOrNotFound(null); // throws the 404
    }
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

  private WireResponse assignKeys(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    List<String> hashes = readAssignees("key_hashes", request);
    Document guardrail = find(request);
    if (guardrail == null) {
      return responseFactory.dataOrNotFound(null);
    }
    var problems = new Problems(problemLimit);
    var identities = new LinkedHashSet<String>();
    for (int i = 0; i < hashes.size(); i++) {
      ApiKey key = key(hashes.get(i));
      // the group of a guardrail is the id of its workspace
      if (key != null && key.origin().workspaceId().equals(guardrail.group())) {
        identities.add(key.id().hex());
      } else {
        problems.add(
            JsonPointer.ROOT.child("key_hashes").child(i),
            "must be the hash of a key of the guardrail's workspace",
            Problems.displayText(Json.of(hashes.get(i))));
      }
    }
    problems.throwIfAny();
    return assign(
        keyAssignments,
        guardrail,
        identities,
        caller.toAuditActor(request.client()),
        responseFactory);
  }

  /** Returns the key with this hash; null when there is none. */
  private @Nullable ApiKey key(String hash) {
    KeyId id = PathParameters.keyHash(hash);
    return id == null ? null : keys.find(id);
  }

  private WireResponse assignMembers(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    List<String> users = readAssignees("member_user_ids", request);
    Document guardrail = find(request);
    return guardrail == null
        ? responseFactory.dataOrNotFound(null)
        : assign(
            memberAssignments,
            guardrail,
            new LinkedHashSet<>(users),
            caller.toAuditActor(request.client()),
            responseFactory);
  }

  private static WireResponse assign(
      GuardrailAssignments assignments,
      Document guardrail,
      Set<String> assignees,
      AuditActor actor,
      ResponseFactory responseFactory) {
    return countResponse(
        "assigned_count", assignments.assign(guardrail.id(), assignees, actor), responseFactory);
  }

  private WireResponse remove(
      GuardrailAssignments assignments,
      String member,
      Caller caller,
      WireRequest request,
      ResponseFactory responseFactory) {
    List<String> listed = readAssignees(member, request);
    Set<String> assignees =
        assignments == keyAssignments ? identities(listed) : new LinkedHashSet<>(listed);
    Document guardrail = find(request);
    return guardrail == null
        ? responseFactory.dataOrNotFound(null)
        : countResponse(
            "unassigned_count",
            assignments.remove(guardrail.id(), assignees, caller.toAuditActor(request.client())),
            responseFactory);
  }

  /** Returns the ids that assignments store for keys; an unknown hash is returned unchanged. */
  private Set<String> identities(List<String> hashes) {
    var identities = new LinkedHashSet<String>();
    for (String hash : hashes) {
      ApiKey key = key(hash);
      identities.add(key == null ? hash : key.id().hex());
    }
    return identities;
  }

  private static WireResponse countResponse(
      String name, int number, ResponseFactory responseFactory) {
    return responseFactory.ok(Json.object().put(name, number).build().toBytes(), null);
  }

  /**
   * Reads the required list of key hashes or user ids in the body, with duplicates. The body is
   * validated before the guardrail is looked up.
   */
  private List<String> readAssignees(String member, WireRequest request) {
    var problems = new Problems(problemLimit);
    var context = new DecodingContext(problems);
    Json value = bodyReader.read(request).get(member);
    List<String> assignees = null;
    if (value == null) {
      context.rejectMissing(member);
    } else {
      context.enter(member);
      assignees = ASSIGNEES.read(value, context);
      context.leave();
    }
    return problems.requireValid(assignees);
  }

  private @Nullable Document find(WireRequest request) {
    UUID id = PathParameters.uuid(PathSegment.of(request, 1));
    return id == null ? null : guardrails.find(id.toString());
  }
}
