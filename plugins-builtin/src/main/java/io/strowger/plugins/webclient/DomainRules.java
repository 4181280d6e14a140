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

  private final List<Entry> allowedEntries;
  private final List<Entry> blockedEntries;

  /**
   * One entry.
   *
   * @param domain the domain in lower case, without a dot at either end
   * @param subdomainsOnly whether only subdomains match
   * @param path the path; empty, or begins with a slash and does not end with one
   */
  private record Entry(String domain, boolean subdomainsOnly, String path) {
    static Entry parse(String entry) {
      String text = entry.strip().toLowerCase(Locale.ROOT);
      int scheme = text.indexOf("://");
      text = scheme < 0 ? text : text.substring(scheme + 3);
      int slash = text.indexOf('/');
      String domain = slash < 0 ? text : text.substring(0, slash);
      String path = slash < 0 ? "" : text.substring(slash);
      while (path.endsWith("/") || path.endsWith("*")) {
        path = path.substring(0, path.length() - 1);
      }
      boolean subdomainsOnly = domain.startsWith("*.");
      return new Entry(host(subdomainsOnly ? domain.substring(2) : domain), subdomainsOnly, path);
    }

    boolean matches(String host, String pagePath) {
      boolean isSameHost = host.equals(domain);
      if (domain.isEmpty() || (isSameHost ? subdomainsOnly : !host.endsWith("." + domain))) {
        return false;
      }
      return path.isEmpty() || pagePath.equals(path) || pagePath.startsWith(path + "/");
    }
  }

  private DomainRules(List<Entry> allowed, List<Entry> blocked) {
    this.allowedEntries = List.copyOf(allowed);
    this.blockedEntries = List.copyOf(blocked);
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

  private static List<Entry> entries(List<String> domains) {
    var entries = new ArrayList<Entry>(domains.size());
    for (String domain : domains) {
      entries.add(Entry.parse(domain));
    }
    return entries;
  }

  private static String host(@Nullable String hostName) {
    String host = hostName == null ? "" : hostName.toLowerCase(Locale.ROOT);
    host = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    try {
      return IDN.toASCII(host, IDN.ALLOW_UNASSIGNED);
    } catch (IllegalArgumentException e) {
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
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Returns whether a page is allowed. */
  public boolean allows(URI uri) {
    String host = host(uri.getHost());
    String path = uri.normalize().getPath();
    String lowerCasePath = path == null ? "" : path.toLowerCase(Locale.ROOT);
    if (lowerCasePath.contains("/../") || lowerCasePath.endsWith("/..")) {
      return this == NONE; // such a path cannot be resolved here, so the rules cannot be applied
    }
    return (allowedEntries.isEmpty() || matches(allowedEntries, host, lowerCasePath))
        && !matches(blockedEntries, host, lowerCasePath);
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
