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
 * Bounds for the requests of some callers: which models and providers, which data policies, how
 * much money. Immutable; equal to itself only, so that what is made of one can be kept for it. Fact
 * sheet: resources, section 4.
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
   * @param id of the guardrail
   * @param body in the resource's own form, valid
   */
  public static Guardrail of(String id, Json.Obj body) {
    return new Guardrail(id, body);
  }

  /** One of the configuration file, which may have no id. */
  static Guardrail ofFile(Json.Obj body) {
    String id = body.text("id");
    return new Guardrail(id == null ? "file:" + body.text("name") : id, body);
  }

  public String id() {
    return id;
  }

  /** In the resource's own form. */
  public Json.Obj body() {
    return body;
  }

  /** What may be spent under it by each of those it binds; empty when that is not bounded. */
  @SuppressWarnings("exports") // for the engine
  public List<Budget> budgets() {
    return budgets;
  }

  /** It says nothing but what it is called. */
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
    boolean byok = Json.TRUE.equals(body.get("include_byok_in_budgets"));
    return List.of(new Budget(period, Usd.ofDollars(limit), byok));
  }

  @Override
  public String toString() {
    return "guardrail " + id;
  }
}
