package io.strowger.core.config;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.limit.Quota;
import io.strowger.spi.limit.Quota.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits. In every member, 0 means no limit.
 *
 * @param perMinute most requests of one key in any minute
 * @param perDay most requests of one key in a UTC day
 * @param freePerMinute most requests of the account for free models in any minute
 * @param freePerDay the same in a UTC day; null for a number that depends on the credits of the
 *     account
 */
public record RateSettings(
    int perMinute, int perDay, int freePerMinute, @Nullable Integer freePerDay) {
  private static final int FREE_PER_MINUTE = 20;
  private static final int FREE_PER_DAY = 50;
  private static final int FREE_PER_DAY_WITH_CREDITS = 1000;
  private static final Usd ENOUGH_CREDITS = Usd.ofDollars(BigDecimal.TEN);
  private static final int MAX_REQUESTS = 1_000_000_000;

  /** Returns the quotas of each single key. */
  public List<Quota> keyQuotas() {
    return quotas(perMinute, perDay);
  }

  /**
   * Returns the quotas for models that cost nothing. Routing fact sheet, section 10: 20 a minute;
   * 50 a day, or 1000 with 10 credits.
   *
   * @param credits the total credits of the account; null for no limit
   */
  public List<Quota> freeQuotas(@Nullable Usd credits) {
    boolean hasEnoughCredits = credits == null || !ENOUGH_CREDITS.isMoreThan(credits);
    int perDayByCredits = hasEnoughCredits ? FREE_PER_DAY_WITH_CREDITS : FREE_PER_DAY;
    return quotas(freePerMinute, freePerDay == null ? perDayByCredits : freePerDay);
  }

  private static List<Quota> quotas(int minute, int day) {
    var quotas = new ArrayList<Quota>();
    if (minute > 0) {
      quotas.add(new Quota(Window.MINUTE, minute));
    }
    if (day > 0) {
      quotas.add(new Quota(Window.DAY, day));
    }
    return quotas;
  }

  static RateSettings read(Section in) {
    int perMinute = in.wholeNumber("requests_per_minute", 0, MAX_REQUESTS, 0);
    int perDay = in.wholeNumber("requests_per_day", 0, MAX_REQUESTS, 0);
    int freePerMinute =
        in.wholeNumber("free_requests_per_minute", 0, MAX_REQUESTS, FREE_PER_MINUTE);
    int freePerDay = in.wholeNumber("free_requests_per_day", 0, MAX_REQUESTS, -1);
    return new RateSettings(perMinute, perDay, freePerMinute, freePerDay < 0 ? null : freePerDay);
  }
}
