package io.strowger.core.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The certificate and private key files of a host. Both are PEM; relative paths are resolved
 * against the working directory of the process.
 *
 * @param certificate the file with the certificate, followed by its chain in order
 * @param key the file with its private key, as PKCS #8 without a password
 */
public record TlsFiles(Path certificate, Path key) {
  public TlsFiles {
    Objects.requireNonNull(certificate, "certificate");
    Objects.requireNonNull(key, "key");
  }

  static TlsFiles read(Section in) {
    in.require("certificate");
    in.require("key");
    return new TlsFiles(path(in, "certificate"), path(in, "key"));
  }

  private static Path path(Section in, String name) {
    String text = in.text(name, "must be the path of a file", TlsFiles::isPath);
    return Path.of(text == null ? "" : text);
  }

  private static boolean isPath(String text) {
    try {
      return Scalars.isDisplayable(text) && !Path.of(text).toString().isEmpty();
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
