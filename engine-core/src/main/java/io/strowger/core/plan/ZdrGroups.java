package io.strowger.core.plan;

import java.util.List;
import java.util.Locale;

/**
 * Whose models an account's zero data retention is about: groups by the author of a model, as bits.
 * Routing fact sheet, section 6.
 */
final class ZdrGroups {
  /** In the words of the contract; the last one is everybody else. */
  private static final List<String> NAMES =
      List.of("anthropic", "openai", "google", "xai", "other");

  private static final int OTHERS = NAMES.size() - 1;

  private ZdrGroups() {}

  /** The bit of the group of this name; 0 when there is none. */
  static int bit(String name) {
    int group = NAMES.indexOf(name.toLowerCase(Locale.ROOT));
    return group < 0 ? 0 : 1 << group;
  }

  /** The bit of the group a model belongs to. */
  static int bitOf(String modelId) {
    int slash = modelId.indexOf('/');
    String author = modelId.substring(0, Math.max(0, slash)).toLowerCase(Locale.ROOT);
    int group = NAMES.indexOf(author.equals("x-ai") ? "xai" : author);
    return 1 << (group < 0 ? OTHERS : group);
  }

  /** The name of a group. */
  static String name(int bit) {
    return NAMES.get(Integer.numberOfTrailingZeros(bit));
  }
}
