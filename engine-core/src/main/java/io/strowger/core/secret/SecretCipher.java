package io.strowger.core.secret;

import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.digest.Sha256;
import io.strowger.spi.provider.Credential;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.IntFunction;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts stored secrets with AES-256-GCM and a fresh nonce each time. The text is bound to the
 * place where it is stored, so that it cannot be decrypted at another place. The encrypted text
 * names its key by eight hex digits of the key's digest: {@code v1.<key>.<base64>}. Safe on any
 * thread.
 */
public final class SecretCipher {
  private static final String VERSION = "v1";
  private static final String HMAC = "HmacSHA256";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int NAME_BYTES = 4;

  private final SecretKeySource source;
  private final IntFunction<byte[]> randomBytes;
  private volatile @Nullable NamedKey cachedKey;

  private record NamedKey(SecretKeySpec key, String name) {}

  /**
   * @param randomBytes returns an array of the given number of secure random bytes
   */
  public SecretCipher(SecretKeySource source, IntFunction<byte[]> randomBytes) {
    this.source = Objects.requireNonNull(source, "source");
    this.randomBytes = Objects.requireNonNull(randomBytes, "randomBytes");
  }

  /**
   * Encrypts a secret.
   *
   * @param place where the secret is stored, such as a document's id
   * @throws SecretKeyException when there is no key
   */
  public String seal(Credential secret, String place) throws SecretKeyException {
    NamedKey namedKey = namedKey();
    byte[] nonce = randomBytes.apply(NONCE_BYTES);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, namedKey, nonce, place);
      byte[] ciphertext = cipher.doFinal(secret.reveal().getBytes(StandardCharsets.UTF_8));
      byte[] nonceAndCiphertext =
          ByteBuffer.allocate(nonce.length + ciphertext.length).put(nonce).put(ciphertext).array();
      return String.join(
          ".",
          VERSION,
          namedKey.name(),
          Base64.getUrlEncoder().withoutPadding().encodeToString(nonceAndCiphertext));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has AES-GCM", impossible);
    }
  }

  /**
   * Decrypts a text that {@link #seal} made for this place.
   *
   * @throws SecretKeyException when there is no key or a different one, or when the text was made
   *     for another place or was modified
   */
  public Credential open(String sealed, String place) throws SecretKeyException {
    String[] parts = sealed.split("\\.", -1);
    if (parts.length != 3 || !parts[0].equals(VERSION)) {
      throw new SecretKeyException("its encrypted form is not known to this version", null);
    }
    NamedKey namedKey = namedKey();
    if (!parts[1].equals(namedKey.name())) {
      throw new SecretKeyException(
          "it was encrypted with the secret key "
              + parts[1]
              + ", but the configured one is "
              + namedKey.name(),
          null);
    }
    try {
      byte[] nonceAndCiphertext = Base64.getUrlDecoder().decode(parts[2]);
      if (nonceAndCiphertext.length < NONCE_BYTES) {
        throw new IllegalArgumentException("too short");
      }
      byte[] nonce = Arrays.copyOf(nonceAndCiphertext, NONCE_BYTES);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, namedKey, nonce, place);
      byte[] plaintext =
          cipher.doFinal(nonceAndCiphertext, NONCE_BYTES, nonceAndCiphertext.length - NONCE_BYTES);
      return new Credential(new String(plaintext, StandardCharsets.UTF_8));
    } catch (AEADBadTagException | IllegalArgumentException e) {
      throw new SecretKeyException("it was modified, or copied from another record", e);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has AES-GCM", impossible);
    }
  }

  /**
   * Returns a key for one purpose, for data too large to be sealed as text: HKDF-Expand of RFC 5869
   * with SHA-256. The derived key is the same each time, and reveals nothing of the key it comes
   * from.
   *
   * @param purpose any text that names what the key encrypts
   * @param salt makes two keys for one purpose differ
   * @throws SecretKeyException when there is no key to derive it from
   */
  public SecretKeySpec derivedKey(String purpose, byte[] salt) throws SecretKeyException {
    NamedKey namedKey = namedKey();
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(namedKey.key().getEncoded(), HMAC));
      mac.update(purpose.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      mac.update(salt);
      return new SecretKeySpec(mac.doFinal(new byte[] {1}), "AES");
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HMAC with SHA-256", impossible);
    }
  }

  /**
   * Returns the name of the key: eight hex digits of its digest.
   *
   * @throws SecretKeyException when there is no key
   */
  public String keyName() throws SecretKeyException {
    return namedKey().name();
  }

  private static Cipher cipher(int mode, NamedKey namedKey, byte[] nonce, String place)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, namedKey.key(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /**
   * Returns the key, which is cached. Two threads may both call the source, which returns the same
   * key to both.
   */
  private NamedKey namedKey() throws SecretKeyException {
    NamedKey namedKey = cachedKey;
    if (namedKey != null) {
      return namedKey;
    }
    SecretKey key;
    try {
      key = source.key();
    } catch (IOException e) {
      throw new SecretKeyException(
          Objects.requireNonNullElse(e.getMessage(), "the secret key cannot be read"), e);
    }
    if (key == null) {
      throw new SecretKeyException(
          "there is no key to encrypt secrets with: set store.secret_key in the configuration to"
              + " the base64 form of 32 random bytes, or give the gateway a data directory",
          null);
    }
    namedKey = new NamedKey(new SecretKeySpec(key.bytes(), "AES"), name(key));
    cachedKey = namedKey;
    return namedKey;
  }

  private static String name(SecretKey key) {
    return HexFormat.of().formatHex(Sha256.of(key.bytes()), 0, NAME_BYTES);
  }
}
