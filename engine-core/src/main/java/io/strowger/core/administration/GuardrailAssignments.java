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
  static final String OF_KEYS = "guardrail-key";
  static final String OF_MEMBERS = "guardrail-member";

  private final StoreWatch watch;
  private final DocumentRepository repository;
  private final DocumentRepository guardrails;
  private final AuditLog audit;
  private final @Nullable Keys keys; // null when users are bound

  /**
   * @param keys the keys of the account, when keys are bound; null when users are
   */
  GuardrailAssignments(StoreWatch watch, Ambient ambient, @Nullable Keys keys) {
    this.watch = watch;
    this.repository = new DocumentRepository(watch, keys == null ? OF_MEMBERS : OF_KEYS, ambient);
    this.guardrails = new DocumentRepository(watch, Guardrails.KIND, ambient);
    this.audit = new AuditLog(ambient);
    this.keys = keys;
  }

  /**
   * Assigns a guardrail to users or keys, to all of them or none.
   *
   * @param whom the users, or the permanent ids of the keys
   * @param by who makes the change
   * @return how many were not bound by it before
   * @throws io.strowger.spi.error.GatewayException 404 when the guardrail, or a key, was deleted
   *     meanwhile
   */
  public int assign(String guardrail, Set<String> whom, AuditActor by) {
    Json.Obj body = Json.object().putOrNull("assigned_by", by.user()).build();
    while (true) {
      var writes = new ArrayList<Write>();
      var bound = new ArrayList<String>();
      var taken = new TreeMap<String, List<String>>(); // by the guardrail that bound them before
      for (String one : whom) {
        Document current = repository.find(one);
        if (current != null && current.group().equals(guardrail)) {
          continue;
        }
        if (current != null) {
          writes.add(new Write.Remove(repository.kind(), one, current.version()));
          taken.computeIfAbsent(current.group(), unseen -> new ArrayList<>()).add(one);
        }
        if (keys != null) {
          writes.add(keys.unchangedVersion(one));
        }
        writes.add(new Write.Insert(repository.newDocument(one, guardrail, body)));
        bound.add(one);
      }
      if (writes.isEmpty()) {
        return 0;
      }
      Document binding = guardrail(guardrail);
      writes.add(new Write.Replace(binding.next(binding.updatedAt(), binding.body())));
      taken.forEach((former, freed) -> writes.add(unassigned(by, subject(former), freed)));
      writes.add(
          audit.entry(
              by,
              AuditAction.GUARDRAIL_ASSIGN,
              AuditLog.Subject.of(binding),
              AuditChanges.NONE.set(member(), bound)));
      if (watch.write(writes)) {
        return bound.size();
      }
    }
  }

  private Write unassigned(AuditActor by, AuditLog.Subject guardrail, List<String> whom) {
    AuditChanges auditChanges = AuditChanges.NONE.unset(member(), whom);
    return audit.entry(by, AuditAction.GUARDRAIL_UNASSIGN, guardrail, auditChanges);
  }

  /** Returns the subject of an audit entry; a guardrail that was just deleted has no name. */
  private AuditLog.Subject subject(String guardrail) {
    Document there = guardrails.find(guardrail);
    return there == null ? new AuditLog.Subject(guardrail, null, "") : AuditLog.Subject.of(there);
  }

  private String member() {
    return member(repository.kind());
  }

  /** Returns the name of the member that lists the bound keys or users in requests. */
  static String member(String kind) {
    return kind.equals(OF_KEYS) ? "key_hashes" : "member_user_ids";
  }

  /** Returns a guardrail. Writing its next version makes a concurrent deletion fail and retry. */
  private Document guardrail(String id) {
    Document there = guardrails.find(id);
    if (there == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return there;
  }

  /**
   * Removes a guardrail from users or keys, from all of them or none.
   *
   * @return how many were bound by it
   * @throws io.strowger.spi.error.GatewayException 404 when the guardrail was deleted meanwhile
   */
  public int remove(String guardrail, Set<String> whom, AuditActor by) {
    while (true) {
      var writes = new ArrayList<Write>();
      var freed = new ArrayList<String>();
      for (String one : whom) {
        Document current = repository.find(one);
        if (current != null && current.group().equals(guardrail)) {
          writes.add(new Write.Remove(repository.kind(), one, current.version()));
          freed.add(one);
        }
      }
      if (writes.isEmpty()) {
        return 0;
      }
      Document bound = guardrail(guardrail);
      writes.add(unassigned(by, AuditLog.Subject.of(bound), freed));
      if (watch.write(writes)) {
        return freed.size();
      }
    }
  }

  /**
   * Returns a page of the assignments, newest first.
   *
   * @param guardrail the id of the guardrail; null for all
   */
  public DocumentStore.Page list(@Nullable String guardrail, long offset, int limit) {
    return repository.list(guardrail, true, DocumentStore.Order.CREATED_LAST, offset, limit);
  }
}
