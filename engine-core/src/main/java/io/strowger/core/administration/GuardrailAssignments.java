package io.strowger.core.administration;

import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns guardrails to keys, or to users and with them to all of their keys. Each key or user has
 * at most one guardrail; assigning another replaces it. A document's id is the key's hash or the
 * user, its group is the guardrail. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class GuardrailAssignments {
  static final String KEY_KIND = "guardrail-key";
  static final String MEMBER_KIND = "guardrail-member";

  private final StoreWatch watch;
  private final DocumentRepository repository;
  private final DocumentRepository guardrails;
  private final AuditLog audit;
  private final @Nullable Keys keys; // null when guardrails are assigned to users

  /**
   * @param keys the keys of the account, to assign guardrails to keys; null to assign them to users
   */
  GuardrailAssignments(StoreWatch watch, Ambient ambient, @Nullable Keys keys) {
    this.watch = watch;
    this.repository = new DocumentRepository(watch, keys == null ? MEMBER_KIND : KEY_KIND, ambient);
    this.guardrails = new DocumentRepository(watch, Guardrails.KIND, ambient);
    this.audit = new AuditLog(ambient);
    this.keys = keys;
  }

  /**
   * Assigns a guardrail to users or keys, to all of them or none.
   *
   * @param targets the users, or the permanent ids of the keys
   * @param actor who makes the change
   * @return how many of the targets the guardrail did not bind before
   * @throws io.strowger.spi.error.GatewayException 404 when the guardrail, or a key, was deleted
   *     meanwhile
   */
  public int assign(String guardrail, Set<String> targets, AuditActor actor) {
    Json.Obj body = Json.object().putOrNull("assigned_by", actor.user()).build();
    while (true) {
      var writes = new ArrayList<Write>();
      var newTargets = new ArrayList<String>();
      var targetsByFormerGuardrail = new TreeMap<String, List<String>>();
      for (String target : targets) {
        Document current = repository.find(target);
        if (current != null && current.group().equals(guardrail)) {
          continue;
        }
        if (current != null) {
          writes.add(new Write.Remove(repository.kind(), target, current.version()));
          targetsByFormerGuardrail
              .computeIfAbsent(current.group(), unseen -> new ArrayList<>())
              .add(target);
        }
        if (keys != null) {
          writes.add(keys.unchangedVersion(target));
        }
        writes.add(new Write.Insert(repository.newDocument(target, guardrail, body)));
        newTargets.add(target);
      }
      if (writes.isEmpty()) {
        return 0;
      }
      Document guardrailDocument = requireGuardrail(guardrail);
      writes.add(
          new Write.Replace(
              guardrailDocument.next(guardrailDocument.updatedAt(), guardrailDocument.body())));
      targetsByFormerGuardrail.forEach(
          (former, freedTargets) ->
              writes.add(unassignEntry(actor, subject(former), freedTargets)));
      writes.add(
          audit.entry(
              actor,
              AuditAction.GUARDRAIL_ASSIGN,
              AuditLog.Subject.of(guardrailDocument),
              AuditChanges.NONE.withAdded(requestMemberName(), newTargets)));
      if (watch.write(writes)) {
        return newTargets.size();
      }
    }
  }

  private Write unassignEntry(AuditActor actor, AuditLog.Subject guardrail, List<String> targets) {
    AuditChanges auditChanges = AuditChanges.NONE.withRemoved(requestMemberName(), targets);
    return audit.entry(actor, AuditAction.GUARDRAIL_UNASSIGN, guardrail, auditChanges);
  }

  /** Returns the subject of an audit entry; a guardrail that was just deleted has no name. */
  private AuditLog.Subject subject(String guardrail) {
    Document document = guardrails.find(guardrail);
    return document == null
        ? new AuditLog.Subject(guardrail, null, "")
        : AuditLog.Subject.of(document);
  }

  /** Returns the name of the member that lists the keys or users in requests and audit entries. */
  public String requestMemberName() {
    return requestMemberName(repository.kind());
  }

  /** Returns the name of the member that lists the bound keys or users in requests. */
  static String requestMemberName(String kind) {
    return kind.equals(KEY_KIND) ? "key_hashes" : "member_user_ids";
  }

  /** Returns a guardrail. Writing its next version makes a concurrent deletion fail and retry. */
  private Document requireGuardrail(String id) {
    Document document = guardrails.find(id);
    if (document == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return document;
  }

  /**
   * Removes a guardrail from users or keys, from all of them or none.
   *
   * @return how many of the targets the guardrail bound before
   * @throws io.strowger.spi.error.GatewayException 404 when the guardrail was deleted meanwhile
   */
  public int remove(String guardrail, Set<String> targets, AuditActor actor) {
    while (true) {
      var writes = new ArrayList<Write>();
      var freedTargets = new ArrayList<String>();
      for (String target : targets) {
        Document current = repository.find(target);
        if (current != null && current.group().equals(guardrail)) {
          writes.add(new Write.Remove(repository.kind(), target, current.version()));
          freedTargets.add(target);
        }
      }
      if (writes.isEmpty()) {
        return 0;
      }
      Document guardrailDocument = requireGuardrail(guardrail);
      writes.add(unassignEntry(actor, AuditLog.Subject.of(guardrailDocument), freedTargets));
      if (watch.write(writes)) {
        return freedTargets.size();
      }
    }
  }

  /**
   * Returns a page of the assignments, newest first.
   *
   * @param guardrail the id of the guardrail; null for all
   */
  public DocumentStore.Page list(@Nullable String guardrail, long offset, int limit) {
    return repository.list(guardrail, true, DocumentStore.Order.NEWEST_FIRST, offset, limit);
  }
}
