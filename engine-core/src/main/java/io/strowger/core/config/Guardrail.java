package io.strowger.core.config;

import io.strowger.core.ledger.Budget;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * Limits on the requests of some callers: allowed models and providers, data policies, budgets and
 * content filters. Immutable; compared by identity, so that derived objects can be cached for it.
 * Fact sheet: resources, section 4.
 */
public final class Guardrail {
  private static final Set<String> NAMES = Set.of("id", "name", "description", "workspace_id");

  private final String id;
  private final Json.Obj body;
  private final List<Budget> budgets;

  private Guardrail(String id, Json.Obj body) {
    this.id = Objects.requireNonNull(id, "id");
    this.body = Objects.requireNonNull(body, "body");
    this.budgets = budgets(body);
  }

  /**
   * Returns a guardrail with this body.
   *
   * @param id the id of the guardrail
   * @param body a valid body in the form of the guardrail resource
   */
  public static Guardrail of(String id, Json.Obj body) {
    return new Guardrail(id, body);
  }

  /** Returns a guardrail of the configuration file, which may have no id. */
  static Guardrail ofFile(Json.Obj body) {
    String id = body.text("id");
    return new Guardrail(id == null ? "file:" + body.text("name") : id, body);
  }

  public String id() {
    return id;
  }

  /** Returns the body in the form of the guardrail resource. */
  public Json.Obj body() {
    return body;
  }

  /** Returns the budgets, which hold for each bound caller separately; may be empty. */
  @SuppressWarnings("exports") // for the engine
  public List<Budget> budgets() {
    return budgets;
  }

  /** Returns whether it sets nothing besides its id, names, description and workspace. */
  public boolean isEmpty() {
    for (int i = 0; i < body.size(); i++) {
      if (!(body.value(i) instanceof Json.Null) && !NAMES.contains(body.name(i))) {
        return false;
      }
    }
    return true;
  }

  private static List<Budget> budgets(Json.Obj body) {
    BigDecimal limit =
        switch (body.get("limit_usd")) {
          case Json.Num number -> number.decimal();
          case Json.Str text -> new BigDecimal(text.text());
          case null -> null;
          case Json other -> null;
        };
    if (limit == null) {
      return List.of();
    }
    String interval = body.text("reset_interval");
    Period period =
        interval == null ? Period.LIFETIME : Period.valueOf(interval.toUpperCase(Locale.ROOT));
    boolean includesByok = Json.TRUE.equals(body.get("include_byok_in_budgets"));
    return List.of(new Budget(period, Usd.ofDollars(limit), includesByok));
  }

  @Override
  public String toString() {
    return "guardrail " + id;
  }
}
