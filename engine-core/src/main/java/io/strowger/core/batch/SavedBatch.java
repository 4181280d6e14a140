package io.strowger.core.batch;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.KeyId;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it is kept: all that is said of one in one table, the body of its row, and how that is
 * shown. Contract: "Batch"; answers fact sheet, "batch object". Immutable.
 *
 * <table>
 * <caption>The body of its row</caption>
 * <tr><th>member</th><th>holds</th></tr>
 * <tr><td>{@code key}</td><td>what stands for the key that created it</td></tr>
 * <tr><td>{@code endpoint}, {@code model}</td><td>as they came</td></tr>
 * <tr><td>{@code allow_fallbacks}</td><td>of its {@code provider}, where false</td></tr>
 * <tr><td>{@code provider}</td><td>slug of the one provider that answers it, once chosen</td></tr>
 * <tr><td>{@code least}</td><td>{@code credits} and {@code own_keys}, in billionths of a dollar:
 * with less left, none of its requests can be paid</td></tr>
 * <tr><td>{@code expires_at}, {@code finalized_at}</td><td>Unix seconds, the latter once over</td></tr>
 * <tr><td>{@code error}</td><td>why it failed, or is cancelled</td></tr>
 * <tr><td>{@code figures}</td><td>the sum over its results, once over</td></tr>
 * <tr><td>{@code expired}</td><td>its time was over before each request had a result</td></tr>
 * <tr><td>{@code emptied}</td><td>its requests and results are removed</td></tr>
 * </table>
 */
public final class SavedBatch {
  private final Batch row;

  SavedBatch(Batch row) {
    this.row = row;
  }

  /**
   * Returns the first version of a batch whose requests are about to come.
   *
   * @param abandonedAt from when on nothing more is expected
   */
  static Batch receiving(
      String id, String workspace, KeyId key, Instant createdAt, Instant abandonedAt) {
    return new Batch(
        id,
        workspace,
        Phase.RECEIVING,
        BatchStatus.RECEIVING.wireName(),
        createdAt,
        abandonedAt,
        1,
        Counts.NONE,
        Json.object().put("key", key.hex()).build());
  }

  Batch row() {
    return row;
  }

  public String id() {
    return row.id();
  }

  public BatchStatus status() {
    return BatchStatus.of(row.status());
  }

  public Counts counts() {
    return row.counts();
  }

  /** Whether its requests and results were removed, or are about to be. */
  public boolean isRemoved() {
    return row.phase() == Phase.REMOVED;
  }

  /** What stands for the key that created it. */
  KeyId key() {
    return KeyId.of(HexFormat.of().parseHex(text("key")));
  }

  public BatchEndpoint endpoint() {
    return BatchEndpoint.at(text("endpoint")).orElseThrow();
  }

  public String model() {
    return text("model");
  }

  /** The provider that answers it; null before one was chosen. */
  public @Nullable String provider() {
    return row.body().text("provider");
  }

  /**
   * Who may answer its requests: the one provider that was chosen for it.
   *
   * @throws io.strowger.spi.error.GatewayException 400 when a request forbids that one
   */
  ProviderPreferences pinned(ProviderPreferences own) {
    String chosen = provider();
    ProviderPreferences.Builder pinned = own.toBuilder();
    if (chosen != null) {
      pinned.only(within(own, List.of(chosen)));
    }
    return Json.FALSE.equals(row.body().get("allow_fallbacks"))
        ? pinned.allowFallbacks(false).build()
        : pinned.build();
  }

  /**
   * Returns those of a request's own providers that are among the given ones; a name with a slash
   * is that of an endpoint of the provider before it.
   */
  static List<String> within(ProviderPreferences own, List<String> given) {
    List<String> only = own.only();
    if (only == null) {
      return given;
    }
    List<String> both =
        only.stream().filter(one -> given.contains(one) || given.contains(base(one))).toList();
    if (both.isEmpty()) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST,
              List.of(
                  new Problem(
                      JsonPointer.ROOT.child("provider").child("only"),
                      "must be absent or name the provider of the batch: "
                          + String.join(" or ", given),
                      Problems.shown(Json.array(only.stream().map(Json::of).toList())))))
          .toException();
    }
    return both;
  }

  private static String base(String name) {
    int slash = name.indexOf('/');
    return slash < 0 ? name : name.substring(0, slash);
  }

  /** With less than this left, none of its requests can be paid; null when nobody knows. */
  @Nullable Charge least() {
    return row.body().object("least") instanceof Json.Obj least
        ? new Charge(new Usd(number(least, "credits")), new Usd(number(least, "own_keys")))
        : null;
  }

  Instant expiresAt() {
    return Instant.ofEpochSecond(number("expires_at"));
  }

  boolean isContentDeleted() {
    return Json.TRUE.equals(row.body().get("emptied"));
  }

  /** What was billed beyond what was held, all requests together. */
  public Usd overrun() {
    return row.body().object("figures") instanceof Json.Obj figures
        ? new Usd(number(figures, "overrun"))
        : Usd.ZERO;
  }

  private String text(String member) {
    return Objects.requireNonNull(row.body().text(member), member);
  }

  private long number(String member) {
    return number(row.body(), member);
  }

  private static long number(Json.Obj object, String member) {
    return object.get(member) instanceof Json.Num number ? number.decimal().longValue() : 0;
  }

  /**
   * What was found out when its requests were priced.
   *
   * @param provider slug of the one that answers it; null when none was chosen
   * @param least with less left, none of its requests can be paid; null when none was priced
   */
  record Priced(@Nullable String provider, @Nullable Charge least) {}

  /** Returns the version in which its requests have come and are about to be judged. */
  Batch received(BatchCreate head, Priced priced, int total) {
    Instant expires = row.createdAt().plus(BatchCreate.COMPLETION_WINDOW);
    Json.Obj.Builder body =
        Json.object()
            .put("key", text("key"))
            .put("endpoint", head.endpoint().path())
            .put("model", head.model().toString())
            .put("expires_at", expires.getEpochSecond());
    if (!head.provider().allowFallbacks()) {
      body.put("allow_fallbacks", false);
    }
    if (priced.provider() != null) {
      body.put("provider", priced.provider());
    }
    if (priced.least() != null) {
      body.put(
          "least",
          Json.object()
              .put("credits", priced.least().credits().nanos())
              .put("own_keys", priced.least().byokCost().nanos())
              .build());
    }
    return to(BatchStatus.VALIDATING, expires, body.build()).withTotal(total);
  }

  /** Returns the version in which its requests are handed out. */
  Batch inProgress() {
    return to(BatchStatus.IN_PROGRESS, expiresAt(), row.body());
  }

  /**
   * Returns the version in which its results are added up.
   *
   * @param expired its time is over, and some requests have no result
   */
  Batch finalizing(boolean expired) {
    Json.Obj body = expired ? row.body().with("expired", Json.TRUE) : row.body();
    return to(BatchStatus.FINALIZING, row.dueAt(), body);
  }

  boolean isExpired() {
    return Json.TRUE.equals(row.body().get("expired"));
  }

  /** Returns the version in which what is left of it is given up. */
  Batch cancelling(String why) {
    return to(BatchStatus.CANCELLING, row.dueAt(), row.body().with("error", Json.of(why)));
  }

  /**
   * Returns the version in which it is over.
   *
   * @param keptUntil when its requests and results are removed
   */
  Batch toTerminal(BatchStatus end, UsageAndCost usageAndCost, Instant at, Instant keptUntil) {
    Json.Obj sum =
        Json.object()
            .put("prompt", usageAndCost.promptTokens())
            .put("completion", usageAndCost.completionTokens())
            .put("cached", usageAndCost.cachedTokens())
            .put("reasoning", usageAndCost.reasoningTokens())
            .put("billed", usageAndCost.billedNanos())
            .put("overrun", usageAndCost.overrunNanos())
            .put("byok", usageAndCost.byokRequests())
            .build();
    Json.Obj body =
        row.body().with("figures", sum).with("finalized_at", Json.of(at.getEpochSecond()));
    return to(end, keptUntil, body);
  }

  /** Returns the version in which it has failed. */
  Batch failed(String why, Instant at, Instant keptUntil) {
    Json.Obj body =
        row.body().with("error", Json.of(why)).with("finalized_at", Json.of(at.getEpochSecond()));
    return to(BatchStatus.FAILED, keptUntil, body);
  }

  /** Returns the version in which nobody can read it any more. */
  Batch removed(Instant now) {
    return row.next(Phase.REMOVED, row.status(), now, row.body());
  }

  /** Returns the version of which nothing is left but that it was there. */
  Batch withoutContents(Instant forgottenAt) {
    return row.next(
        Phase.REMOVED, row.status(), forgottenAt, row.body().with("emptied", Json.TRUE));
  }

  private Batch to(BatchStatus status, Instant due, Json.Obj body) {
    return row.next(status.phase(), status.wireName(), due, body);
  }

  /** Its members as callers read them, without results. Contract: "Batch". */
  public Json.Obj toJson() {
    Json.Obj.Builder json =
        Json.object()
            .put("id", row.id())
            .put("object", "batch")
            .put("endpoint", text("endpoint"))
            .put("model", model())
            .put("completion_window", "24h")
            .put("status", row.status())
            .put("created_at", row.createdAt().getEpochSecond())
            .put("finalized_at", orNull("finalized_at"))
            .put("expires_at", number("expires_at"))
            .putOrNull("provider", provider())
            .put("request_counts", countsJson())
            .put("usage", usage());
    String why = row.body().text("error");
    return json.put("error", why == null ? Json.NULL : Json.object().put("message", why).build())
        .build();
  }

  /**
   * Its members where its price is more than was left to pay it. Resources fact sheet, section 6.
   */
  public Json.Obj toUnpaidJson(GatewayError error) {
    Json.Obj shown =
        Json.object().put("code", error.code().status()).put("message", error.message()).build();
    return toJson().with("results", Json.NULL).with("error", shown);
  }

  private Json orNull(String member) {
    return row.body().get(member) instanceof Json.Num number ? number : Json.NULL;
  }

  private Json.Obj countsJson() {
    return Json.object()
        .put("total", row.counts().total())
        .put("completed", row.counts().completed())
        .put("failed", row.counts().failed())
        .build();
  }

  private Json usage() {
    if (!(row.body().object("figures") instanceof Json.Obj sum)) {
      return Json.NULL;
    }
    long prompt = number(sum, "prompt");
    long completion = number(sum, "completion");
    Json.Obj details =
        Json.object()
            .put("cached_tokens", number(sum, "cached"))
            .put("reasoning_tokens", number(sum, "reasoning"))
            .build();
    return Json.object()
        .put("prompt_tokens", prompt)
        .put("completion_tokens", completion)
        .put("total_tokens", prompt + completion)
        .put("cost", new Usd(number(sum, "billed")).json())
        .put("is_byok", number(sum, "byok") > 0)
        .put("details", details)
        .build();
  }

  /** What it is and not what it says. */
  @Override
  public String toString() {
    return row.toString();
  }
}
