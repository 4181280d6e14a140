package io.strowger.core.administration;

import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.CallerRestrictions;
import io.strowger.core.config.Guardrail;
import io.strowger.core.ledger.Payer;
import io.strowger.core.store.DocumentCache;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.store.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the caller of a key from cached documents: its guardrails, those of its user and
 * workspace, the defaults of the workspace, and all payers of its requests. Safe on any thread.
 */
final class Callers {
  /** The kinds of documents that callers are built from. */
  static final Set<String> KINDS =
      Set.of(
          Keys.KIND,
          Workspaces.KIND,
          Guardrails.KIND,
          GuardrailAssignments.OF_KEYS,
          GuardrailAssignments.OF_MEMBERS);

  private static final int MOST = 100_000;
  private static final int FEW = 10_000;

  private final DocumentCache<Workspace> workspaces;
  private final DocumentCache<Guardrail> guardrails;
  private final DocumentCache<String> ofKeys; // guardrail by key
  private final DocumentCache<String> ofMembers; // guardrail by user
  private final Payer account;
  private volatile List<Guardrail> defaultGuardrails;

  /**
   * @param defaultGuardrails the guardrails of the configuration, which bind every caller
   */
  Callers(StoreWatch watch, Payer account, List<Guardrail> defaultGuardrails) {
    this.workspaces = watch.copies(Workspaces.KIND, Workspace::read, FEW);
    this.guardrails = watch.copies(Guardrails.KIND, Guardrails::read, FEW);
    this.ofKeys = watch.copies(GuardrailAssignments.OF_KEYS, Document::group, MOST);
    this.ofMembers = watch.copies(GuardrailAssignments.OF_MEMBERS, Document::group, MOST);
    this.account = account;
    this.defaultGuardrails = List.copyOf(defaultGuardrails);
  }

  /** Sets the guardrails of the configuration, which bind every caller built from now on. */
  void setDefaultGuardrails(List<Guardrail> binding) {
    defaultGuardrails = List.copyOf(binding);
  }

  Caller of(ApiKey key) {
    String hash = key.id().hex();
    String user = key.origin().creatorUserId();
    Workspace workspace = workspaces.find(key.origin().workspaceId());
    var payers = new LinkedHashMap<String, Payer>();
    defaultGuardrails.forEach(guardrail -> pay(guardrail, hash, payers));
    var binding = new ArrayList<Guardrail>();
    bind(Guardrails.idOfWorkspace(key.origin().workspaceId()), hash, binding, payers);
    bind(ofKeys.find(hash), hash, binding, payers);
    bind(ofMembers.find(user), "user:" + user, binding, payers);
    Caller caller =
        new Caller(
                key.id(),
                key.setting().name(),
                key.origin().management(),
                payers(key, payers, workspace))
            .withOwner(key.origin().workspaceId(), user)
            .withRestrictions(bounds(binding, workspace));
    return key.hash().equals(key.id()) ? caller : caller.rotated(key.secrets());
  }

  private List<Payer> payers(
      ApiKey key, Map<String, Payer> ofGuardrails, @Nullable Workspace workspace) {
    var all = new ArrayList<Payer>();
    all.add(key.payer());
    all.addAll(ofGuardrails.values());
    if (workspace != null) {
      all.add(workspace.payer());
    }
    all.add(account);
    return all;
  }

  private static CallerRestrictions bounds(List<Guardrail> binding, @Nullable Workspace workspace) {
    String model = workspace == null ? null : workspace.textModel();
    String sort = workspace == null ? null : workspace.providerSort();
    boolean logging = workspace != null && workspace.logging();
    boolean broadcasts = workspace == null || workspace.broadcast();
    return binding.isEmpty() && model == null && sort == null && !logging && broadcasts
        ? CallerRestrictions.NONE
        : new CallerRestrictions(binding, model, sort, logging, broadcasts);
  }

  /**
   * Adds a guardrail and its payer, if there is one with this id.
   *
   * @param id the id of the guardrail; null for none
   * @param whose identifies whose spending is counted: a key's hash, or {@code user:} and the user
   */
  private void bind(
      @Nullable String id, String whose, List<Guardrail> binding, Map<String, Payer> payers) {
    Guardrail guardrail = id == null ? null : guardrails.find(id);
    if (guardrail != null && !guardrail.isEmpty()) {
      if (!binding.contains(guardrail)) {
        binding.add(guardrail);
      }
      pay(guardrail, whose, payers);
    }
  }

  private static void pay(Guardrail guardrail, String whose, Map<String, Payer> payers) {
    if (!guardrail.budgets().isEmpty()) {
      String id = guardrail.id() + "/" + whose;
      payers.put(id, new Payer(Payer.Kind.GUARDRAIL, id, guardrail.budgets()));
    }
  }
}
