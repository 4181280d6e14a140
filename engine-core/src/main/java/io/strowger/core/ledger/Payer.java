package io.strowger.core.ledger;

import java.util.List;
import java.util.Locale;

/**
 * An entity whose spending is counted and may be limited by budgets. A request has several: the key
 * it came with, the guardrails the key is assigned to, its workspace, and the account.
 *
 * @param kind the kind of payer
 * @param id unique within the kind
 * @param budgets the limits on its spending; empty when the spending is only counted
 */
public record Payer(Kind kind, String id, List<Budget> budgets) {
  /** The kinds of payers, in the order in which they are locked and checked. */
  public enum Kind {
    KEY,
    GUARDRAIL,
    WORKSPACE,
    ACCOUNT
  }

  public Payer {
    budgets = List.copyOf(budgets);
  }

  /** Returns the one account of a gateway, which every request spends from. */
  public static Payer account(List<Budget> budgets) {
    return new Payer(Kind.ACCOUNT, "default", budgets);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + ":" + id;
  }
}
