package io.strowger.core.resource;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One member of the {@code config} of a destination. Everything in a config is text.
 *
 * @param form what text it has to be
 * @param required has to be there
 * @param secret is never shown, and returned masked
 * @param fallback what it is when it is not given; null for nothing
 * @param words of {@link Form#WORD} only
 */
public record ConfigMember(
    String name,
    Form form,
    boolean required,
    boolean secret,
    @Nullable String fallback,
    List<String> words) {

  /** What text a member has to be. */
  public enum Form {
    /** Not blank. */
    TEXT,
    /** Any, none as well. */
    ANY,
    /** Not blank; names the host that is called. */
    HOST,
    /** An absolute address of HTTP. */
    URL,
    /** An address of HTTP with a key in it and a project behind it. */
    DSN,
    /** One of a few words. */
    WORD
  }

  public ConfigMember {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(form, "form");
    words = List.copyOf(words);
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

  static ConfigMember word(String name, String... words) {
    return new ConfigMember(name, Form.WORD, true, false, null, List.of(words));
  }

  /** Returns whether it says where a destination's calls, and its secrets with them, are sent. */
  boolean isAddress() {
    return switch (form) {
      case HOST, URL, DSN -> true;
      case TEXT, ANY, WORD -> false;
    };
  }

  /** The same, but it may be empty. */
  ConfigMember orEmpty() {
    return new ConfigMember(name, Form.ANY, required, secret, fallback, words);
  }

  /** The same, but it may be left out. */
  ConfigMember optional() {
    return new ConfigMember(name, form, false, secret, null, words);
  }

  /** The same, but when it is left out it is this. */
  ConfigMember or(String value) {
    return new ConfigMember(name, form, false, secret, value, words);
  }
}
