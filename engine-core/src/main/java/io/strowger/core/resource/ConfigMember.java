package io.strowger.core.resource;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One member of the {@code config} of a destination. Everything in a config is text.
 *
 * @param form the form its text must have
 * @param required whether it must be present
 * @param secret whether it is shown only in masked form
 * @param defaultValue the value when none is given; null for none
 * @param allowedWords the allowed words of {@link Form#WORD}; otherwise empty
 */
public record ConfigMember(
    String name,
    Form form,
    boolean required,
    boolean secret,
    @Nullable String defaultValue,
    List<String> allowedWords) {

  /** The form that the text of a member must have. */
  public enum Form {
    /** Not blank. */
    TEXT,
    /** Any text, even empty. */
    ANY,
    /** Not blank; names the host that is called. */
    HOST,
    /** An absolute {@code http} or {@code https} URL. */
    URL,
    /** An HTTP URL with a key before the host and a project number at the end. */
    DSN,
    /** One of a few words. */
    WORD
  }

  public ConfigMember {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(form, "form");
    allowedWords = List.copyOf(allowedWords);
  }

  static ConfigMember text(String name) {
    return new ConfigMember(name, Form.TEXT, true, false, null, List.of());
  }

  static ConfigMember host(String name) {
    return new ConfigMember(name, Form.HOST, true, false, null, List.of());
  }

  static ConfigMember url(String name) {
    return new ConfigMember(name, Form.URL, true, false, null, List.of());
  }

  static ConfigMember secret(String name) {
    return new ConfigMember(name, Form.TEXT, true, true, null, List.of());
  }

  static ConfigMember dsn(String name) {
    return new ConfigMember(name, Form.DSN, true, true, null, List.of());
  }

  static ConfigMember word(String name, String... allowedWords) {
    return new ConfigMember(name, Form.WORD, true, false, null, List.of(allowedWords));
  }

  /** Returns whether the member says where the destination's calls and secrets are sent. */
  boolean isAddress() {
    return switch (form) {
      case HOST, URL, DSN -> true;
      case TEXT, ANY, WORD -> false;
    };
  }

  /** Returns the same member, but its text may be empty. */
  ConfigMember allowEmpty() {
    return new ConfigMember(name, Form.ANY, required, secret, defaultValue, allowedWords);
  }

  /** Returns the same member, but it may be left out. */
  ConfigMember optional() {
    return new ConfigMember(name, form, false, secret, null, allowedWords);
  }

  /** Returns the same member, but with a value for when it is left out. */
  ConfigMember withDefault(String value) {
    return new ConfigMember(name, form, false, secret, value, allowedWords);
  }
}
