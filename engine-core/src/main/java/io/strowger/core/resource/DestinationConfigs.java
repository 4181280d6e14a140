package io.strowger.core.resource;

import static io.strowger.core.decode.MemberTable.members;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the {@code config} of a destination by the table of {@link DestinationType}. Problems show
 * no value that may hold a secret, not even a URL. Resources fact sheet, section 5.
 */
final class DestinationConfigs {
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern PROJECT = Pattern.compile("/(?:[^?#]*/)?[0-9]+");

  private static final Rule<String> TEXT =
      checked(text -> !text.isBlank(), "must be text that is not blank");
  private static final Rule<String> ANY = Rules.textUpTo(Integer.MAX_VALUE);
  private static final Rule<String> URL =
      checked(text -> address(text) != null, "must be an absolute http or https URL").secret();
  private static final Rule<String> DSN =
      checked(
          DestinationConfigs::isDsn,
          "must be a URL as https://<public key>@<host>/<project number>");
  private static final Rule<String> HEADER_VALUE =
      Rules.string()
          .to(
              text -> isHeaderValue(text.text()) ? text.text() : null,
              "must be the text of a header, without control characters");

  /**
   * The rule for {@code headers}. It allows no control characters, because a line break would begin
   * another header. It is secret, because a name may contain a whole header.
   */
  private static final Rule<Json.Obj> HEADERS = secret(DestinationConfigs::headers);

  private static final Map<DestinationType, Rule<Json.Obj>> COMPLETE = rules(true);
  private static final Map<DestinationType, Rule<Json.Obj>> PARTIAL = rules(false);
  private static final Rule<Json.Obj> OF_UNKNOWN_TYPE =
      members().optional(DestinationType.HEADERS, HEADERS).asJson();

  private DestinationConfigs() {}

  /** Returns the rule for the whole config of a type. */
  static Rule<Json.Obj> complete(DestinationType type) {
    return Objects.requireNonNull(COMPLETE.get(type));
  }

  /**
   * Returns the rule for a part of a config: no member is required. For an unknown type only the
   * headers are checked.
   *
   * @param type the type of the destination; null when it is unknown
   */
  static Rule<Json.Obj> partial(@Nullable DestinationType type) {
    return type == null ? OF_UNKNOWN_TYPE : Objects.requireNonNull(PARTIAL.get(type));
  }

  private static Map<DestinationType, Rule<Json.Obj>> rules(boolean complete) {
    var rules = new LinkedHashMap<DestinationType, Rule<Json.Obj>>();
    for (DestinationType type : DestinationType.ALL) {
      MemberTable.JsonBuilder table = members();
      for (ConfigMember member : type.members()) {
        if (!complete && !member.required()) {
          table.optional(member.name(), rule(member).orNull()); // null removes it
        } else if (complete && member.required()) {
          table.required(member.name(), rule(member));
        } else {
          table.optional(member.name(), rule(member));
        }
      }
      rules.put(
          type,
          table.optional(DestinationType.HEADERS, complete ? HEADERS : HEADERS.orNull()).asJson());
    }
    return rules;
  }

  private static Rule<String> rule(ConfigMember member) {
    Rule<String> rule =
        switch (member.form()) {
          case TEXT, HOST -> TEXT;
          case ANY -> ANY;
          case URL -> URL;
          case DSN -> DSN;
          case WORD -> Rules.wordAmong(member.allowedWords());
        };
    return member.secret() ? rule.secret() : rule;
  }

  private static Rule<Json.Obj> secret(Rule<Json.Obj> rule) {
    return rule.secret();
  }

  private static Rule<String> checked(Predicate<String> test, String allowed) {
    return Rules.text().to(text -> test.test(text) ? text : null, allowed);
  }

  private static Json.@Nullable Obj headers(Json value, DecodingContext context) {
    Json.Obj headers = Rules.object().read(value, context);
    for (int i = 0; headers != null && i < headers.size(); i++) {
      String name = headers.name(i);
      if (HEADER_NAME.matcher(name).matches()) {
        context.enter(name);
        HEADER_VALUE.read(headers.value(i), context);
        context.leave();
      } else {
        context.reject("must have valid names of headers only", Json.of(name));
      }
    }
    return headers;
  }

  private static boolean isHeaderValue(String text) {
    return text.chars().noneMatch(c -> c < ' ' && c != '\t' || c == 0x7F || c > 0xFF);
  }

  private static @Nullable URI address(String text) {
    try {
      var address = new URI(text);
      String scheme = address.getScheme();
      boolean isHttp = "https".equalsIgnoreCase(scheme) || "http".equalsIgnoreCase(scheme);
      // the authority, since getHost() is null for a host name with an underscore
      return isHttp && address.getRawAuthority() != null ? address : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static boolean isDsn(String text) {
    URI address = address(text);
    return address != null
        && address.getRawUserInfo() instanceof String key
        && !key.isEmpty()
        && address.getRawQuery() == null
        && address.getRawFragment() == null
        && PROJECT.matcher(address.getRawPath()).matches();
  }
}
