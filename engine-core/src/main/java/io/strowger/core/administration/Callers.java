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
          GuardrailAssignments.KEY_KIND,
          GuardrailAssignments.MEMBER_KIND);

  private static final int MAX_CACHED_ASSIGNMENTS = 100_000;
  private static final int MAX_CACHED_DOCUMENTS = 10_000;

  private final DocumentCache<Workspace> workspaces;
  private final DocumentCache<Guardrail> guardrails;
  private final DocumentCache<String> guardrailByKey; // guardrail id by key hash
  private final DocumentCache<String> guardrailByUser; // guardrail id by user id
  private final Payer accountPayer;
  private volatile List<Guardrail> defaultGuardrails;

  /**
   * @param defaultGuardrails the guardrails of the configuration, which bind every caller
   */
  Callers(StoreWatch watch, Payer accountPayer, List<Guardrail> defaultGuardrails) {
    this.workspaces = watch.newCache(Workspaces.KIND, Workspace::read, MAX_CACHED_DOCUMENTS);
    this.guardrails = watch.newCache(Guardrails.KIND, Guardrails::read, MAX_CACHED_DOCUMENTS);
    this.guardrailByKey =
        watch.newCache(GuardrailAssignments.KEY_KIND, Document::group, MAX_CACHED_ASSIGNMENTS);
    this.guardrailByUser =
        watch.newCache(GuardrailAssignments.MEMBER_KIND, Document::group, MAX_CACHED_ASSIGNMENTS);
    this.accountPayer = accountPayer;
    this.defaultGuardrails = List.copyOf(defaultGuardrails);
  }

  /** Sets the guardrails of the configuration, which bind every caller built from now on. */
  void setDefaultGuardrails(List<Guardrail> newDefaults) {
    defaultGuardrails = List.copyOf(newDefaults);
  }

  Caller of(ApiKey key) {
    String hash = key.id().hex();
    String user = key.origin().creatorUserId();
    Workspace workspace = workspaces.find(key.origin().workspaceId());
    var payers = new LinkedHashMap<String, Payer>();
    defaultGuardrails.forEach(guardrail -> addPayer(guardrail, hash, payers));
    var bindingGuardrails = new ArrayList<Guardrail>();
    bind(
        Guardrails.defaultGuardrailId(key.origin().workspaceId()), hash, bindingGuardrails, payers);
    bind(guardrailByKey.find(hash), hash, bindingGuardrails, payers);
    bind(guardrailByUser.find(user), "user:" + user, bindingGuardrails, payers);
    Caller caller =
        new Caller(
                key.id(),
                key.setting().name(),
                key.origin().isManagement(),
                payers(key, payers, workspace))
            .withOwner(key.origin().workspaceId(), user)
            .withRestrictions(restrictions(bindingGuardrails, workspace));
    return key.hash().equals(key.id()) ? caller : caller.withSecrets(key.secrets());
  }

  private List<Payer> payers(
      ApiKey key, Map<String, Payer> guardrailPayers, @Nullable Workspace workspace) {
    var result = new ArrayList<Payer>();
    result.add(key.payer());
    result.addAll(guardrailPayers.values());
    if (workspace != null) {
      result.add(workspace.payer());
    }
    result.add(accountPayer);
    return result;
  }

  private static CallerRestrictions restrictions(
      List<Guardrail> bindingGuardrails, @Nullable Workspace workspace) {
    String model = workspace == null ? null : workspace.textModel();
    String sort = workspace == null ? null : workspace.providerSort();
    boolean keepsContent = workspace != null && workspace.keepsContent();
    boolean broadcasts = workspace == null || workspace.broadcasts();
    return bindingGuardrails.isEmpty()
            && model == null
            && sort == null
            && !keepsContent
            && broadcasts
        ? CallerRestrictions.NONE
        : new CallerRestrictions(bindingGuardrails, model, sort, keepsContent, broadcasts);
  }

  /**
   * Adds a guardrail and its payer, if there is one with this id.
   *
   * @param id the id of the guardrail; null for none
   * @param spender identifies whose spending is counted: a key's hash, or {@code user:} and the
   *     user
   */
  private void bind(
      @Nullable String id,
      String spender,
      List<Guardrail> bindingGuardrails,
      Map<String, Payer> payers) {
    Guardrail guardrail = id == null ? null : guardrails.find(id);
    if (guardrail != null && !guardrail.isEmpty()) {
      if (!bindingGuardrails.contains(guardrail)) {
        bindingGuardrails.add(guardrail);
      }
      addPayer(guardrail, spender, payers);
    }
  }

  private static void addPayer(Guardrail guardrail, String spender, Map<String, Payer> payers) {
    if (!guardrail.budgets().isEmpty()) {
      String id = guardrail.id() + "/" + spender;
      payers.put(id, new Payer(Payer.Kind.GUARDRAIL, id, guardrail.budgets()));
    }
  }
}
