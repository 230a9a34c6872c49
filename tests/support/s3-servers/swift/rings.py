"""Writes the rings of one device, as swift-ring-builder does in nine processes: rings.py SWIFT_DIR KIND=PORT..."""
import os
import sys

from swift.common.ring import RingBuilder

swift_dir, kinds = sys.argv[1], sys.argv[2:]
for kind, port in (each.split('=') for each in kinds):
    builder = RingBuilder(part_power=4, replicas=1, min_part_hours=0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(os.path.join(swift_dir, kind + '.ring.gz'))
