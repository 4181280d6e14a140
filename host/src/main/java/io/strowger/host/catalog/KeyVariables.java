package io.strowger.host.catalog;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the variable of a provider's key among those a list says the provider needs. */
final class KeyVariables {
  private static final Pattern KEY = Pattern.compile("[A-Z0-9_]*(KEY|TOKEN|_PAT)");

  /** Half of a pair that signs requests, which is no key to send. */
  private static final Pattern SIGNING = Pattern.compile(".*(ACCESS_KEY_ID|SECRET_ACCESS_KEY)");

  private KeyVariables() {}

  /** The only one that ends in KEY, TOKEN or PAT; null with none, several or a signing pair. */
  static @Nullable String only(List<String> variables) {
    if (variables.stream().anyMatch(name -> SIGNING.matcher(name).matches())) {
      return null;
    }
    List<String> keys = variables.stream().filter(name -> KEY.matcher(name).matches()).toList();
    return keys.size() == 1 ? keys.getFirst() : null;
  }
}
