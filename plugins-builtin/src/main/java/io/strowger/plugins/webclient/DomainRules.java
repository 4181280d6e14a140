package io.strowger.plugins.webclient;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Rules that allow only the pages of some domains, or all pages except those of some domains. An
 * entry is a domain, which includes its subdomains, {@code *.x.com} for the subdomains alone, or
 * either with a path, {@code x.com/blog}, for the pages below it. The scheme of an entry is
 * ignored. A page that matches both lists is not allowed. Immutable. Plugins fact sheet, section 5.
 */
public final class DomainRules {
  public static final DomainRules NONE = new DomainRules(List.of(), List.of());

  private final List<Entry> allowed;
  private final List<Entry> blocked;

  /**
   * One entry.
   *
   * @param domain the domain in lower case, without a dot at either end
   * @param below whether only subdomains match
   * @param path the path; empty, or begins with a slash and does not end with one
   */
  private record Entry(String domain, boolean below, String path) {
    static Entry parse(String written) {
      String text = written.strip().toLowerCase(Locale.ROOT);
      int scheme = text.indexOf("://");
      text = scheme < 0 ? text : text.substring(scheme + 3);
      int slash = text.indexOf('/');
      String domain = slash < 0 ? text : text.substring(0, slash);
      String path = slash < 0 ? "" : text.substring(slash);
      while (path.endsWith("/") || path.endsWith("*")) {
        path = path.substring(0, path.length() - 1);
      }
      boolean below = domain.startsWith("*.");
      return new Entry(host(below ? domain.substring(2) : domain), below, path);
    }

    boolean matches(String host, String at) {
      boolean same = host.equals(domain);
      if (domain.isEmpty() || (same ? below : !host.endsWith("." + domain))) {
        return false;
      }
      return path.isEmpty() || at.equals(path) || at.startsWith(path + "/");
    }
  }

  private DomainRules(List<Entry> allowed, List<Entry> blocked) {
    this.allowed = List.copyOf(allowed);
    this.blocked = List.copyOf(blocked);
  }

  /**
   * @param allowed the entries of allowed pages; empty for all
   * @param blocked the entries of blocked pages; empty for none
   */
  public static DomainRules of(List<String> allowed, List<String> blocked) {
    return allowed.isEmpty() && blocked.isEmpty()
        ? NONE
        : new DomainRules(entries(allowed), entries(blocked));
  }

  private static List<Entry> entries(List<String> written) {
    var entries = new ArrayList<Entry>(written.size());
    for (String one : written) {
      entries.add(Entry.parse(one));
    }
    return entries;
  }

  private static String host(@Nullable String given) {
    String host = given == null ? "" : given.toLowerCase(Locale.ROOT);
    host = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    try {
      return IDN.toASCII(host, IDN.ALLOW_UNASSIGNED);
    } catch (IllegalArgumentException malformed) {
      return host;
    }
  }

  /** Returns whether a page is allowed; if there are rules, a malformed address is not. */
  public boolean allows(String url) {
    if (this == NONE) {
      return true;
    }
    try {
      return allows(new URI(url));
    } catch (URISyntaxException malformed) {
      return false;
    }
  }

  /** Returns whether a page is allowed. */
  public boolean allows(URI uri) {
    String host = host(uri.getHost());
    String path = uri.normalize().getPath();
    String at = path == null ? "" : path.toLowerCase(Locale.ROOT);
    if (at.contains("/../") || at.endsWith("/..")) {
      return this == NONE; // such a path cannot be resolved here, so the rules cannot be applied
    }
    return (allowed.isEmpty() || matches(allowed, host, at)) && !matches(blocked, host, at);
  }

  private static boolean matches(List<Entry> entries, String host, String path) {
    for (Entry entry : entries) {
      if (entry.matches(host, path)) {
        return true;
      }
    }
    return false;
  }
}
