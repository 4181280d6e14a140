package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.textUpTo;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code metadata}: text by name. Contract: "Limits". */
public final class MetadataPairs {
  private static final int PAIRS = 16;
  private static final int KEY_CHARS = 64;
  private static final int VALUE_CHARS = 512;
  private static final Rule<String> VALUE = textUpTo(VALUE_CHARS);
  private static final Pattern BRACKET = Pattern.compile("[\\[\\]]");

  public static final Rule<Json.Obj> RULE = (given, context) -> read(given, context, false);

  /** The same, and no name has a bracket. Responses fact sheet. */
  public static final Rule<Json.Obj> WITHOUT_BRACKETS =
      (given, context) -> read(given, context, true);

  private MetadataPairs() {}

  private static Json.@Nullable Obj read(Json given, DecodingContext context, boolean noBrackets) {
    Json.Obj pairs = object().read(given, context);
    if (pairs == null) {
      return null;
    }
    if (pairs.size() > PAIRS) {
      context.reject("must have at most 16 pairs", Json.of(pairs.size()));
    }
    for (int i = 0; i < pairs.size(); i++) {
      String key = pairs.name(i);
      if (!Rules.fits(key, KEY_CHARS)) {
        context.reject("must have keys of at most 64 characters", Json.of(key));
      } else if (noBrackets && BRACKET.matcher(key).find()) {
        context.reject("must have keys without [ and ]", Json.of(key));
      }
      context.enter(key);
      VALUE.read(pairs.value(i), context);
      context.leave();
    }
    return pairs;
  }
}
