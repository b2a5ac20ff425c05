"""The two documents of DDS-Security: governance of a domain, permissions of one enclave."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree as Xml

from roboinstruct_ros.security.dds_names import strange_topics, topics_of
from roboinstruct_ros.security.roles import Role

_SCHEMA = "http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_{}.xsd"
_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_LAST_DOMAIN = 232

# The strictest settings that ROS 2 itself uses: no node joins, publishes or subscribes without a
# certificate, and all traffic is encrypted, including names.
_PROTECTION = {
    "allow_unauthenticated_participants": "false",
    "enable_join_access_control": "true",
    "discovery_protection_kind": "ENCRYPT",
    "liveliness_protection_kind": "ENCRYPT",
    "rtps_protection_kind": "SIGN",
}
_TOPIC_PROTECTION = {
    "topic_expression": "*",
    "enable_discovery_protection": "true",
    "enable_liveliness_protection": "true",
    "enable_read_access_control": "true",
    "enable_write_access_control": "true",
    "metadata_protection_kind": "ENCRYPT",
    "data_protection_kind": "ENCRYPT",
}


def governance() -> bytes:
    """Governance rules for every domain."""
    root = _document("governance")
    rule = _below(root, "domain_access_rules", "domain_rule")
    _add_domains(rule)
    for name, value in _PROTECTION.items():
        _add(rule, name, value)
    topic_rule = _below(rule, "topic_access_rules", "topic_rule")
    for name, value in _TOPIC_PROTECTION.items():
        _add(topic_rule, name, value)
    return _written(root)


def permissions(role: Role, namespace: str, begin: datetime, end: datetime) -> bytes:
    """Permissions of an enclave, from the role of its process; times in UTC.

    The first rule that matches a topic applies; a topic without a match is denied.
    """
    root = _document("permissions")
    grant = _below(root, "permissions", "grant")
    grant.set("name", f"/{role.name}")
    _add(grant, "subject_name", f"CN=/{role.name}")
    validity = _below(grant, "validity")
    _add(validity, "not_before", begin.strftime("%Y-%m-%dT%H:%M:%S"))
    _add(validity, "not_after", end.strftime("%Y-%m-%dT%H:%M:%S"))
    topics = topics_of(role, namespace)
    _add_rule(grant, "allow_rule", topics.written, topics.read)
    if role.outside:
        _add_rule(grant, "deny_rule", strange_topics(), strange_topics())
        _add_rule(grant, "allow_rule", ("*",), ("*",))
    _add(grant, "default", "DENY")
    return _written(root)


def _add_rule(
    grant: Xml.Element, kind: str, written: tuple[str, ...], read: tuple[str, ...]
) -> None:
    rule = _below(grant, kind)
    _add_domains(rule)
    for name, topics in (("publish", written), ("subscribe", read)):
        listed = _below(rule, name, "topics")
        for topic in topics:
            _add(listed, "topic", topic)


def _add_domains(rule: Xml.Element) -> None:
    """Every ROS_DOMAIN_ID: the number keeps nobody out, so it is not part of the boundary."""
    between = _below(rule, "domains", "id_range")
    _add(between, "min", "0")
    _add(between, "max", str(_LAST_DOMAIN))


def _document(kind: str) -> Xml.Element:
    Xml.register_namespace("xsi", _INSTANCE)
    return Xml.Element("dds", {f"{{{_INSTANCE}}}noNamespaceSchemaLocation": _SCHEMA.format(kind)})


def _below(parent: Xml.Element, *names: str) -> Xml.Element:
    for name in names:
        parent = Xml.SubElement(parent, name)
    return parent


def _add(parent: Xml.Element, name: str, text: str) -> None:
    Xml.SubElement(parent, name).text = text


def _written(root: Xml.Element) -> bytes:
    Xml.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root) + b"\n"
