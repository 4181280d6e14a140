package io.strowger.core.guardrail;

/**
 * Finds IP addresses: IPv4 addresses of four numbers from 0 to 255 with dots between, and IPv6
 * addresses, in full or shortened with {@code ::}. A shortened address must contain a digit, since
 * {@code Ab::Cd} may be source code. Software versions of four numbers cannot be told apart from
 * addresses and are found as well; those of five numbers are not.
 */
final class IpDetector implements Detector.OfBoundedLength {
  private static final int MAX_ADDRESS_CHARS = 51; // the longest address and a port
  private static final int IPV6_GROUPS = 8;

  @Override
  public int scan(TextMatches matches) {
    String text = matches.text();
    int i = matches.from();
    while (matches.advanceTo(i)) {
      if (!isAddressChar(text.charAt(i))) {
        i++;
        continue;
      }
      matches.beginCandidate();
      int end = i;
      boolean hasColon = false;
      while (matches.hasChar(end) && matches.advanceTo(end) && isAddressChar(text.charAt(end))) {
        hasColon |= text.charAt(end) == ':';
        end++;
      }
      boolean isInsideWord =
          i > 0 && (isWordChar(text.charAt(i - 1)) || isAddressChar(text.charAt(i - 1)));
      if (isInsideWord || end < text.length() && isWordChar(text.charAt(end))) {
        i = end; // a part of a word
        continue;
      }
      if (matches.needsMoreText() && trimmedEnd(text, i, end) - i <= MAX_ADDRESS_CHARS) {
        return i;
      }
      if (!matches.needsMoreText()) {
        add(matches, i, end, hasColon);
      }
      i = end;
    }
    return i;
  }

  /** Returns the end (exclusive) of an address, without the punctuation that ends a sentence. */
  private static int trimmedEnd(String text, int start, int end) {
    int trimmed = end;
    while (trimmed > start
        && ".:".indexOf(text.charAt(trimmed - 1)) >= 0
        && !text.startsWith("::", trimmed - 2)) {
      trimmed--;
    }
    return trimmed;
  }

  private static void add(TextMatches matches, int start, int end, boolean hasColon) {
    String text = matches.text();
    int trimmedEnd = trimmedEnd(text, start, end);
    if (trimmedEnd - start <= 1 || trimmedEnd - start > MAX_ADDRESS_CHARS) {
      return;
    }
    String candidate = text.substring(start, trimmedEnd);
    if (hasColon && isIpv6(candidate)) {
      matches.found(start, trimmedEnd);
      return;
    }
    int port = hasColon ? candidate.indexOf(':') : -1;
    String host = port < 0 ? candidate : candidate.substring(0, port);
    if (isIpv4(host)) {
      matches.found(start, start + host.length());
    }
  }

  private static boolean isAddressChar(char c) {
    return Digits.isDigit(c)
        || c >= 'a' && c <= 'f'
        || c >= 'A' && c <= 'F'
        || c == ':'
        || c == '.';
  }

  private static boolean isWordChar(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  static boolean isIpv4(String candidate) {
    String[] numbers = candidate.split("\\.", -1);
    if (numbers.length != 4) {
      return false;
    }
    for (String number : numbers) {
      if (number.isEmpty()
          || number.length() > 3
          || !number.chars().allMatch(c -> Digits.isDigit((char) c))
          || Integer.parseInt(number) > 255) {
        return false;
      }
    }
    return true;
  }

  static boolean isIpv6(String candidate) {
    String text = candidate;
    int ipv4Start = text.indexOf('.') < 0 ? -1 : text.lastIndexOf(':') + 1;
    if (ipv4Start > 0) { // ends in an IPv4 address, which stands for two groups
      if (!isIpv4(text.substring(ipv4Start))) {
        return false;
      }
      text = text.substring(0, ipv4Start) + "0:0";
    }
    int gap = text.indexOf("::");
    if (gap < 0) {
      return countGroups(text) == IPV6_GROUPS;
    }
    if (text.indexOf("::", gap + 1) >= 0 || text.chars().noneMatch(c -> Digits.isDigit((char) c))) {
      return false;
    }
    int before = gap == 0 ? 0 : countGroups(text.substring(0, gap));
    String tail = text.substring(gap + 2);
    int after = tail.isEmpty() ? 0 : countGroups(tail);
    return before >= 0 && after >= 0 && before + after > 0 && before + after < IPV6_GROUPS;
  }

  /** Returns the number of groups of one to four digits; -1 when a group is invalid. */
  private static int countGroups(String text) {
    String[] groups = text.split(":", -1);
    for (String group : groups) {
      if (group.isEmpty() || group.length() > 4 || group.indexOf('.') >= 0) {
        return -1;
      }
    }
    return groups.length;
  }
}
