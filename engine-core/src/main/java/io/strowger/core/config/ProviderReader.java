package io.strowger.core.config;

import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.provider.Credential;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code providers}. */
final class ProviderReader {
  static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

  private static final URI PLACEHOLDER_URI = URI.create("http://localhost");
  private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");
  private static final Set<String> RESERVED_HEADERS =
      Set.of("connection", "content-length", "content-type", "host", "te", "transfer-encoding");

  /** The protocols that every gateway is expected to support. */
  static final List<String> PROTOCOLS =
      List.of("openai-chat", "anthropic-messages", "openai-responses", "gemini", "simulated");

  private final WordChoice<String> protocols;

  private final UniqueNames slugs = new UniqueNames();

  /**
   * @param protocols the protocols that providers may use
   */
  ProviderReader(Collection<String> protocols) {
    this.protocols = WordChoice.of(List.copyOf(protocols), word -> word);
  }

  /** Reads a provider; returns null when it has no valid slug. */
  @Nullable ProviderConfig read(Section in) {
    String slug =
        in.text(
            "slug",
            "must be a slug of 1 to 100 lower-case letters, digits, '.', '_' and '-'",
            text -> SLUG.matcher(text).matches());
    in.require("slug");
    boolean isUnique = slugs.check(in, "slug", slug);
    String name = in.text("name");
    String protocol = in.choice("protocol", protocols);
    in.require("protocol");
    URI uri = uri(in);
    String apiKey =
        in.secret("api_key", "must be printable ASCII without blanks", ProviderReader::isToken);
    Map<String, String> headers =
        in.section("headers", section -> headers(section, RESERVED_HEADERS));
    Policy policy = in.section("data_policy", Policy::read);
    String region = in.text("region");
    boolean isModerated = in.flag("moderated", false);
    if (slug == null || !isUnique) {
      return null;
    }
    String protocolName = protocol == null ? "" : protocol;
    var info =
        new ProviderInfo(
            slug,
            name == null ? slug : name,
            policy.retains,
            policy.trains,
            region,
            isModerated,
            protocolName);
    return new ProviderConfig(
        info,
        protocolName,
        uri == null ? PLACEHOLDER_URI : uri,
        apiKey == null ? Credential.NONE : new Credential(apiKey),
        headers);
  }

  /** The data policy; an absent member is true. */
  private record Policy(boolean retains, boolean trains) {
    static Policy read(Section in) {
      return new Policy(in.flag("retains_prompts", true), in.flag("trains_on_prompts", true));
    }
  }

  private static @Nullable URI uri(Section in) {
    String allowed =
        "must be an http or https URL without user, query and fragment, such as https://host/v1";
    String rawUrl = in.rawText("base_url");
    boolean isShowable = rawUrl == null || !rawUrl.contains("@") && !rawUrl.contains("?");
    Predicate<String> isUrl = url -> parseUrl(url) != null;
    String text =
        isShowable ? in.text("base_url", allowed, isUrl) : in.secret("base_url", allowed, isUrl);
    in.require("base_url");
    return text == null ? null : parseUrl(text);
  }

  private static @Nullable URI parseUrl(String text) {
    try {
      URI uri = new URI(text.replaceAll("/+$", ""));
      boolean isHttp = "http".equalsIgnoreCase(uri.getScheme());
      boolean isHttpOrHttps = isHttp || "https".equalsIgnoreCase(uri.getScheme());
      boolean hasNoExtras =
          uri.getRawUserInfo() == null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null
              && uri.getPort() <= 65_535;
      return isHttpOrHttps && hasNoExtras && uri.getHost() != null ? uri : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /**
   * Reads the headers to send, by name; no problem shows their values.
   *
   * @param reserved names in lower case that must not be among them
   */
  static Map<String, String> headers(Section in, Set<String> reserved) {
    var headers = new LinkedHashMap<String, String>();
    var names = new HashSet<String>();
    for (String name : in.names()) {
      String value =
          in.secret(name, "must be printable text without line breaks", ProviderReader::isValue);
      String lower = name.toLowerCase(Locale.ROOT);
      if (!HEADER.matcher(name).matches()) {
        in.problemWithoutValue(name, "is not a header name");
      } else if (reserved.contains(lower)) {
        in.problemWithoutValue(name, "is a header the gateway sets itself");
      } else if (!names.add(lower)) {
        in.problemWithoutValue(name, "is a header that is named twice, ignoring case");
      }
      if (value != null) {
        headers.put(name, value);
      }
    }
    return headers;
  }

  /** Returns whether a text may be sent as a credential; empty means none. */
  static boolean isToken(String text) {
    return text.length() <= 10_000 && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  private static boolean isValue(String text) {
    return text.length() <= 10_000 && text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
  }
}
