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
  private static final int MOST = 100;
  private static final Rule<List<String>> NAMES = Rules.list(Rules.text(1, 200), 1, MOST);

  private final BodyReader bodies;
  private final Guardrails guardrails;
  private final Keys keys;
  private final GuardrailAssignments ofKeys;
  private final GuardrailAssignments ofMembers;
  private final int problemLimit;

  AssignmentService(BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.bodies = bodies;
    this.guardrails = resources.account().guardrails();
    this.keys = resources.account().keys();
    this.ofKeys = resources.account().assignmentsOfKeys();
    this.ofMembers = resources.account().assignmentsOfMembers();
    this.problemLimit = problemLimit;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.LIST_KEY_ASSIGNMENTS, (caller, request, out) -> list(ofKeys, request, out),
        Operation.ASSIGN_KEYS, (caller, request, out) -> assignKeys(caller, request, out),
        Operation.UNASSIGN_KEYS,
            (caller, request, out) -> remove(ofKeys, "key_hashes", caller, request, out),
        Operation.LIST_MEMBER_ASSIGNMENTS, (caller, request, out) -> list(ofMembers, request, out),
        Operation.ASSIGN_MEMBERS, (caller, request, out) -> assignMembers(caller, request, out),
        Operation.UNASSIGN_MEMBERS,
            (caller, request, out) -> remove(ofMembers, "member_user_ids", caller, request, out));
  }

  private WireResponse list(
      GuardrailAssignments all, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    PageRequest pageRequest = Queries.page(request.query(), problems);
    problems.throwIfAny();
    Document guardrail = find(request);
    if (guardrail == null) {
      return responseFactory.found(null);
    }
    DocumentStore.Page page = all.list(guardrail.id(), pageRequest.offset(), pageRequest.limit());
    return responseFactory.list(
        page.documents().stream().map(one -> json(all == ofKeys, one)).toList(), page.total());
  }

  private Json.Obj json(boolean key, Document assigned) {
    Json.Obj.Builder out = Json.object();
    if (key) {
      ApiKey found = key(assigned.id());
      out.put("key_hash", found == null ? assigned.id() : found.hash().hex())
          .putOrNull("key_name", found == null ? null : found.setting().name())
          .putOrNull("key_label", found == null ? null : found.origin().label());
    } else {
      out.put("user_id", assigned.id());
    }
    return out.put("guardrail_id", assigned.group())
        .putOrNull("assigned_by", assigned.body().text("assigned_by"))
        .put("created_at", Timestamps.text(assigned.createdAt()))
        .build();
  }

  private WireResponse assignKeys(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Document guardrail = find(request);
    Set<String> hashes = named("key_hashes", bodies.read(request), problems);
    Set<String> identities = new LinkedHashSet<>();
    int place = 0;
    for (String hash : hashes) {
      ApiKey key = key(hash);
      identities.add(key == null ? hash : key.id().hex());
      boolean there =
          key != null
              && (guardrail == null || key.origin().workspaceId().equals(guardrail.group()));
      if (!there) {
        problems.add(
            JsonPointer.ROOT.child("key_hashes").child(place),
            "must be the hash of a key of the guardrail's workspace",
            Problems.shown(Json.of(hash)));
      }
      place++;
    }
    problems.throwIfAny();
    AuditActor by = caller.author(request.client());
    return assigned(ofKeys, guardrail, identities, by, responseFactory);
  }

  /** Returns the key with this hash; null when there is none. */
  private @Nullable ApiKey key(String hash) {
    KeyId id = PathParameters.keyHash(hash);
    return id == null ? null : keys.find(id);
  }

  private WireResponse assignMembers(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Set<String> users = named("member_user_ids", bodies.read(request), problems);
    problems.throwIfAny();
    AuditActor by = caller.author(request.client());
    return assigned(ofMembers, find(request), users, by, responseFactory);
  }

  private static WireResponse assigned(
      GuardrailAssignments all,
      @Nullable Document guardrail,
      Set<String> whom,
      AuditActor by,
      ResponseFactory responseFactory) {
    return guardrail == null
        ? responseFactory.found(null)
        : count("assigned_count", all.assign(guardrail.id(), whom, by), responseFactory);
  }

  private WireResponse remove(
      GuardrailAssignments all,
      String member,
      Caller caller,
      WireRequest request,
      ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Set<String> named = named(member, bodies.read(request), problems);
    problems.throwIfAny();
    Set<String> whom = all == ofKeys ? identities(named) : named;
    Document guardrail = find(request);
    return guardrail == null
        ? responseFactory.found(null)
        : count(
            "unassigned_count",
            all.remove(guardrail.id(), whom, caller.author(request.client())),
            responseFactory);
  }

  /** Returns the ids that assignments store for keys; an unknown hash is returned unchanged. */
  private Set<String> identities(Set<String> hashes) {
    var identities = new LinkedHashSet<String>();
    for (String hash : hashes) {
      ApiKey key = key(hash);
      identities.add(key == null ? hash : key.id().hex());
    }
    return identities;
  }

  private static WireResponse count(String name, int number, ResponseFactory responseFactory) {
    return responseFactory.ok(Json.object().put(name, number).build().toBytes(), null);
  }

  /** Reads a required list of names and drops duplicates; empty when a problem was noted. */
  private static Set<String> named(String member, Json.Obj body, Problems problems) {
    Json given = body.get(member);
    var context = new DecodingContext(problems);
    if (given == null) {
      context.missing(member);
      return Set.of();
    }
    context.enter(member);
    List<String> names = NAMES.read(given, context);
    context.leave();
    return names == null ? Set.of() : new LinkedHashSet<>(names);
  }

  private @Nullable Document find(WireRequest request) {
    UUID id = PathParameters.uuid(PathSegment.of(request, 1));
    return id == null ? null : guardrails.find(id.toString());
  }
}
