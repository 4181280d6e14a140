/**
 * Tests of the files in {@code host/container} and {@code host/systemd}, and of what an operator
 * does with running gateways: restart them one after the other, back them up, and restore a backup.
 */
@NullMarked
package io.strowger.conformance.operations;

import org.jspecify.annotations.NullMarked;
