package io.strowger.core.destination;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Restricts files to mode 0600 and directories to 0700 where the file system has such modes. The
 * modes are set when a file is created, so that no other user can ever open it.
 */
final class QueueFilePermissions {
  private QueueFilePermissions() {}

  static FileAttribute<?>[] file(Path path) {
    return attributes(path, "rw-------");
  }

  private static FileAttribute<?>[] attributes(Path path, String mode) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }

  /** Creates a directory and its missing parents. */
  static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, "rwx------"));
  }
}
